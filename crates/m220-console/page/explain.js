// A short explanation of an element while it is pointed at, touched, or focused: `data-explain` is its text.

const GAP = 6;

export function explanations() {
  const bubble = document.getElementById("explanation");
  let shown = null;
  const hide = () => {
    shown?.removeAttribute("aria-describedby");
    shown = null;
    bubble.hidden = true;
    bubble.hidePopover?.();
  };
  const show = (target) => {
    const element = target.closest?.("[data-explain]") ?? null;
    if (element === shown) return;
    hide();
    if (element === null) return;
    shown = element;
    bubble.textContent = element.dataset.explain;
    bubble.hidden = false;
    // Above an open dialog too.
    bubble.showPopover?.();
    element.setAttribute("aria-describedby", bubble.id);
    const [box, own] = [element.getBoundingClientRect(), bubble.getBoundingClientRect()];
    const below = box.bottom + GAP + own.height <= innerHeight;
    bubble.style.top = `${Math.max(0, below ? box.bottom + GAP : box.top - own.height - GAP)}px`;
    bubble.style.left = `${Math.max(GAP, Math.min(box.left, innerWidth - own.width - GAP))}px`;
  };
  document.addEventListener("pointerover", (event) => show(event.target));
  document.addEventListener("focusin", ({ target }) => target.matches(":focus-visible") && show(target));
  document.addEventListener("pointerdown", ({ pointerType }) => pointerType === "mouse" && hide());
  document.addEventListener("focusout", hide);
  document.addEventListener("scroll", hide, { capture: true, passive: true });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
}
