// Shared by every component: numbers as lmcore.numbers prints them, frames that follow the hand,
// and a few drawing helpers. Nothing in here computes a quantity that a reader would call a result.

// Where the sweep lives: a frame is one row of numbers, one per name, sent by sliders.js.
const FRAME = (group) => `frame:${group}`;

// How a picture moves a slider of its group: sliders.js listens, and acts as if the hand had.
const MOVE = (group) => `move:${group}`;
const nudge = (group, name, value, settled) =>
  window.dispatchEvent(new CustomEvent(MOVE(group), { detail: { name, value, settled } }));

// What ui.live.packed wrote: JSON, and after it the numbers that it points at.
function unpack(bytes) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const numbers = new Float64Array(bytes.slice(4 + length).buffer);
  const text = new TextDecoder().decode(bytes.subarray(4, 4 + length));
  return JSON.parse(text, (_, value) => {
    if (Array.isArray(value?.bytes)) return new Uint8Array(numbers.buffer, ...value.bytes);
    if (!Array.isArray(value?.at)) return value;
    const [start, count] = value.at;
    return numbers.subarray(start, start + count);
  });
}

// The same rule as lmcore.numbers.significant: four significant digits, no spurious zeros.
function significant(value) {
  if (Number.isNaN(value)) return "undefined";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const [mantissa, exponent] = size.toExponential(3).split("e");
  const power = Number(exponent);
  const near = (text) => Math.abs(Number(text) - size) <= 1e-12 * size;
  const shorten = (text, exact) =>
    exact && text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
  let text;
  if (power >= -4 && power < 5) {
    text = size.toFixed(Math.max(3 - power, 0));
    text = shorten(text, near(text));
  } else {
    const raised = String(power).replace(/[-0-9]/g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
    text = `${shorten(mantissa, near(`${mantissa}e${power}`))}×10${raised}`;
  }
  return value < 0 ? `−${text}` : text;
}

function operand(value) {
  const text = significant(value);
  return text.startsWith("−") ? `(${text})` : text;
}

// "{z}" becomes the number called z, "{z:p}" the same in parentheses where it is negative.
function fill(template, values) {
  return template.replace(SLOT, (_, name, parenthesised) => (parenthesised ? operand : significant)(values(name)));
}
const SLOT = /\{([^{}:]+)(:p)?\}/g;

// The same with every digit, for a CSV.
const fillWhole = (template, values) => template.replace(SLOT, (_, name) => String(values(name)));

// Call draw(values) now and on every frame of the group, at most once per screen refresh.
// Components call this on every render; the previous subscription of the same element ends.
const followed = new WeakMap();
function follow(element, data, draw) {
  followed.get(element)?.();
  const index = new Map(data.names.map((name, i) => [name, i]));
  let row = data.now;
  let waiting = 0;
  const values = (name) => row[index.get(name)];
  const paint = () => {
    waiting = 0;
    draw(values);
  };
  const onFrame = (event) => {
    row = event.detail;
    waiting ||= requestAnimationFrame(paint);
  };
  window.addEventListener(FRAME(data.group), onFrame);
  const stop = () => {
    window.removeEventListener(FRAME(data.group), onFrame);
    cancelAnimationFrame(waiting);
  };
  followed.set(element, stop);
  draw(values);
  return stop;
}

// How much larger than on a desk everything is written: more than 1 in presenter mode.
const magnified = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

function isDark(element) {
  const host = element instanceof ShadowRoot ? element.host : element;
  const colour = getComputedStyle(host).getPropertyValue("--st-background-color").trim();
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = colour || "#ffffff";
  const hex = probe.fillStyle;
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
}

// The system's theme may change while the page is open; it is said once, and the page runs again.
function followTheme({ data, parentElement, setTriggerValue }) {
  const worn = isDark(parentElement) ? "dark" : "light";
  if (worn !== data.mode && worn !== followTheme.said) setTriggerValue("changed", worn);
  followTheme.said = worn;
}

// PALETTE is lessons.shared.theme.palette() and STYLE is style.css; ui/components.py puts both
// before this file.
const colours = (element) => PALETTE[isDark(element) ? "dark" : "light"];

const SHEET = new CSSStyleSheet();
SHEET.replaceSync(STYLE);
function dress(parentElement) {
  if (parentElement.adoptedStyleSheets) parentElement.adoptedStyleSheets = [SHEET];
}

const SVG = "http://www.w3.org/2000/svg";
function draw_svg(tag, attributes = {}, parent = null, text = null) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== null) node.textContent = text;
  parent?.append(node);
  return node;
}

function html(tag, attributes = {}, parent = null, text = null) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== null) node.textContent = text;
  parent?.append(node);
  return node;
}

// What a hand moves is ahead of the server. `key` names where the server says it is: news, unless it is
// the echo of a place that was told from here.
function isNews(root, key) {
  const echoed = (root.told ??= []).indexOf(key);
  root.told = echoed >= 0 ? root.told.slice(echoed) : [key];
  return echoed < 0;
}

// A hand that still holds the slider has not come to rest: nothing is told.
function tellAtRest(root, key, { value = key, held = false } = {}) {
  clearTimeout(root.timer);
  if (held) return;
  root.timer = setTimeout(() => {
    root.told.push(key);
    root.tell(value);
  }, REST);
}
const REST = 300;

// The element a component may fill: made once, emptied and refilled when its shape changes.
function stage(parentElement, shape) {
  let root = parentElement.querySelector(".stage");
  const fresh = root?.dataset.shape !== shape;
  if (fresh) {
    root?.remove();
    root = html("div", { class: "stage", "data-shape": shape }, parentElement);
  }
  for (const [role, colour] of Object.entries(colours(parentElement))) {
    root.style.setProperty(`--${role}`, colour);
  }
  return [root, fresh];
}

// --- saving a picture --------------------------------------------------------------------------

// Two buttons; choose() gives the name of the file and the pictures, each a list of <svg> layers.
function saveButtons(parent, choose) {
  const row = html("div", { class: "row save" }, parent);
  for (const kind of ["SVG", "PNG"]) {
    const button = html("button", { type: "button", title: `Save the picture as ${kind}` }, row, kind);
    button.onclick = () => download(kind, ...choose(), parent);
  }
}

async function download(kind, name, groups, element) {
  const picture = compose(groups, element);
  const source = new XMLSerializer().serializeToString(picture);
  let blob = new Blob([source], { type: "image/svg+xml" });
  if (kind === "PNG") blob = await rasterise(blob, picture);
  hand(blob, `${name}.${kind.toLowerCase()}`);
}

function hand(blob, name) {
  const link = html("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// A button; choose() gives the name of the file, the column titles and the rows.
function saveTable(parent, choose) {
  const button = html("button", { type: "button", title: "Save the table as CSV" }, html("div", { class: "row save" }, parent), "CSV");
  const quoted = (cell) => (/[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : cell);
  button.onclick = () => {
    const [name, columns, rows] = choose();
    const text = [columns, ...rows].map((row) => row.map(quoted).join(",")).join("\r\n");
    hand(new Blob([text], { type: "text/csv" }), `${name}.csv`);
  };
}

function compose(groups, element) {
  const boxes = groups.map(([svg]) => svg.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const width = Math.ceil(Math.max(...boxes.map((box) => box.right)) - left);
  const height = Math.ceil(Math.max(...boxes.map((box) => box.bottom)) - top);
  const picture = draw_svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  const style = getComputedStyle(element);
  picture.setAttribute("font-family", style.fontFamily);
  draw_svg("rect", { width, height, fill: style.getPropertyValue("--st-background-color") || "#ffffff" }, picture);
  groups.forEach((layers, i) => {
    for (const layer of layers) {
      const copy = layer.cloneNode(true);
      copy.removeAttribute("style");
      for (const [name, value] of Object.entries({
        x: boxes[i].left - left, y: boxes[i].top - top, width: boxes[i].width, height: boxes[i].height,
      })) copy.setAttribute(name, value);
      picture.append(copy);
    }
  });
  return picture;
}

async function rasterise(blob, picture) {
  const url = URL.createObjectURL(blob);
  const image = new Image();
  image.src = url;
  await image.decode();
  const scale = 2;
  const canvas = document.createElement("canvas");
  canvas.width = scale * picture.getAttribute("width");
  canvas.height = scale * picture.getAttribute("height");
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
