// Shared by every component: numbers as lmcore.numbers prints them, frames that follow the hand,
// and a few drawing helpers. Nothing in here computes a quantity that a reader would call a result.

// Where the sweep lives: a frame is one row of numbers, one per name, sent by sliders.js.
const FRAME = (group) => `frame:${group}`;

function decode(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Float64Array(bytes.buffer);
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
  return template.replace(/\{([^{}:]+)(:p)?\}/g, (_, name, parenthesised) =>
    (parenthesised ? operand : significant)(values(name)),
  );
}

// Call draw(values) now and on every frame of the group, at most once per screen refresh.
// Components call this on every render; the previous subscription of the same element ends.
const followed = new WeakMap();
function follow(element, data, draw) {
  followed.get(element)?.();
  const index = new Map(data.names.map((name, i) => [name, i]));
  let row = decode(data.now);
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

function isDark(element) {
  const host = element instanceof ShadowRoot ? element.host : element;
  const colour = getComputedStyle(host).getPropertyValue("--st-background-color").trim();
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = colour || "#ffffff";
  const hex = probe.fillStyle;
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
}

// PALETTE is lmcore.figures.theme.palette(), put before this file by ui/components.py.
const colours = (element) => PALETTE[isDark(element) ? "dark" : "light"];

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
