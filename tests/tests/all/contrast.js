// Every text on the page with less contrast to its ground than WCAG 2 asks for at level AA: its place, its first
// letters, the ratio. Left out are drawings, and what cannot be used or is hidden from readers.
(() => {
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    paint.clearRect(0, 0, 1, 1);
    paint.fillStyle = colour;
    paint.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = paint.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((part, index) => part * a + below[index] * (1 - a));
  const behind = (element) => {
    const layers = [];
    for (let at = element; at !== null; at = at.parentElement) layers.unshift(getComputedStyle(at).backgroundColor);
    return layers.reduce((below, layer) => over(rgba(layer), below), [255, 255, 255]);
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((part) => (part <= 10.31 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const faint = [];
  let looked = 0;
  const look = (element, pseudo, words) => {
    const style = getComputedStyle(element, pseudo);
    const ground = behind(element);
    const [more, less] = [luminance(over(rgba(style.color), ground)), luminance(ground)].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const ratio = (more + 0.05) / (less + 0.05);
    looked++;
    if (ratio < least) faint.push(`${element.className || element.id || element.tagName}: ${words} ${ratio.toFixed(2)}`);
  };
  for (const element of document.body.querySelectorAll("*")) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (element.closest("svg, script, option, :disabled, [aria-hidden=true]") !== null) continue;
    const words = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
    const said = words.map(({ data }) => data).join("").trim();
    if (said !== "") look(element, null, said.slice(0, 20));
    for (const pseudo of ["::before", "::after"]) {
      const { content } = getComputedStyle(element, pseudo);
      if (/\w/.test(content) && content.startsWith('"')) look(element, pseudo, content);
    }
  }
  return { looked, faint };
})()
