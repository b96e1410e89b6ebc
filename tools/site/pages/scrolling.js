// What is wider than the page is scrolled by the keyboard, too.
function mark() {
  for (const part of document.querySelectorAll(".md-typeset pre > code, .md-typeset__scrollwrap, .scroll")) {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  }
}
addEventListener("load", mark);
addEventListener("resize", mark);
