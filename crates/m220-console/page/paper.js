// The output of the printer and the card punch.

export class Paper {
  constructor(parent, panel, state) {
    this.state = state;
    this.panel = panel;
    this.sheets = ["printed", "punched"].map((name) => {
      const heading = document.createElement("h3");
      heading.textContent = name === "printed" ? "" : "Punched";
      const sheet = document.createElement("pre");
      sheet.className = "sheet";
      sheet.tabIndex = 0;
      sheet.setAttribute("aria-label", name);
      parent.append(heading, sheet);
      return { name, heading, sheet, text: null };
    });
  }

  draw() {
    for (const paper of this.sheets) {
      const text = this.state[paper.name];
      if (text === paper.text) continue;
      paper.text = text;
      paper.sheet.textContent = text;
      paper.sheet.hidden = paper.heading.hidden = text === "";
      paper.sheet.scrollTop = paper.sheet.scrollHeight;
    }
    this.panel.hidden = this.state.printed === "" && this.state.punched === "";
  }
}
