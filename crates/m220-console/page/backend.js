// The machine behind this page: on the local server that sent it, or in a worker of the page itself. No other module
// knows which. Both have the methods of server.js, and call `onevent(name, data)` and `onend(sentence)`.

import { Resident } from "m220/resident.js";
import { Server } from "m220/server.js";

export const backend = () => (Resident.isHere() ? new Resident() : new Server());
