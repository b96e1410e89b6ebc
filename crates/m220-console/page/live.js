// To come: the live machine.
export class Live {
  static async open() {
    throw new Error("this page has neither a recording nor a machine behind it");
  }
}
