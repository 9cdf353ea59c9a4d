// Saves a picture as SVG or PNG, with its sentence and its formula, and numbers as CSV.

import { drawSvg, html } from "./dom.js";
import { textWidth } from "./pen.js";

/** @import { Row } from "./frames.js" */
/** @import { Palette, Shown, StageTexts } from "./types.js" */

/** @typedef {SVGSVGElement[]} Layers of one picture */
/** @typedef {string | number} Cell */

/**
 * Two buttons; choose() gives the name of the file and the pictures.
 *
 * @param {HTMLElement} parent @param {() => [name: string, pictures: Layers[]]} choose
 */
export function saveButtons(parent, choose) {
  const row = html("div", { class: "row save" }, parent);
  for (const kind of ["SVG", "PNG"]) {
    const button = html("button", { type: "button", title: `Save the picture as ${kind}` }, row, kind);
    button.onclick = () => {
      const [name, groups] = choose();
      keep(kind, name, compose(groups, parent));
    };
  }
}

/**
 * @param {string} kind SVG or PNG
 * @param {string} name
 * @param {SVGSVGElement} picture
 */
async function keep(kind, name, picture) {
  const source = new XMLSerializer().serializeToString(picture);
  let blob = new Blob([source], { type: "image/svg+xml" });
  if (kind === "PNG") blob = await rasterise(blob, picture);
  hand(blob, `${name}.${kind.toLowerCase()}`);
}

/** @param {Blob} blob @param {string} name */
export function hand(blob, name) {
  const link = html("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * A button; choose() gives the name of the file, the column titles and the rows.
 *
 * @param {HTMLElement} parent
 * @param {() => [name: string, columns: readonly string[], rows: readonly (readonly Cell[])[]]} choose
 */
export function saveTable(parent, choose) {
  const button = html(
    "button",
    { type: "button", title: "Save the table as CSV" },
    html("div", { class: "row save" }, parent),
    "CSV",
  );
  button.onclick = () => saveRows(...choose());
}

/** @param {string} name @param {readonly string[]} columns @param {readonly (readonly Cell[])[]} rows */
function saveRows(name, columns, rows) {
  /** @param {Cell} cell */
  const quoted = (cell) => (/[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell);
  const text = [columns, ...rows].map((row) => row.map(quoted).join(",")).join("\r\n");
  hand(new Blob([text], { type: "text/csv" }), `${name}.csv`);
}

/**
 * Save the main picture of the page, or the numbers that it shows.
 *
 * @param {string} kind SVG, PNG or CSV
 * @param {{ data: Shown & StageTexts, goal: Row, svg: SVGSVGElement, colour: Palette }} its
 * @param {HTMLElement} figure
 */
export function savePicture(kind, its, figure) {
  const { data, goal, svg, colour } = its;
  if (kind === "CSV") {
    const rows = data.names
      .map((name, i) => [name, String(goal[i])])
      .filter(([name]) => !name.startsWith("@") && !data.hidden.includes(name));
    return saveRows(data.group, ["name", "value"], rows);
  }
  return keep(kind, data.group, framed(svg, figure, colour));
}

/**
 * The picture with its sentence above it and its formula below it, as on the page.
 *
 * @param {SVGSVGElement} svg @param {HTMLElement} figure @param {Palette} colour
 */
function framed(svg, figure, colour) {
  const [, , width, height] = (svg.getAttribute("viewBox") ?? "").split(" ").map(Number);
  const lines = [...figure.querySelectorAll(".said, .formula")].map((row) =>
    [...row.querySelectorAll(".rich")].map((part) => part.textContent).join("    "),
  );
  const rows = lines.map((text) => wrap(text, width - 40));
  const above = 16 + 26 * rows[0].length;
  const whole = above + height + 16 + 26 * (rows[1] ?? []).length;
  const picture = drawSvg("svg", {
    width,
    height: whole,
    viewBox: `0 0 ${width} ${whole}`,
    "font-family": getComputedStyle(figure).fontFamily,
    fill: colour.ink,
  });
  drawSvg("rect", { width, height: whole, fill: colour.background }, picture);
  /** @type {(texts: string[], top: number) => void} */
  const say = (texts, top) =>
    texts.forEach((text, i) => drawSvg("text", { x: 20, y: top + 26 * (i + 1), "font-size": 18 }, picture, text));
  say(rows[0], 0);
  say(rows[1] ?? [], above + height);
  const copy = withImages(svg, copyOf(svg));
  copy.querySelectorAll(".beads").forEach((beads) => beads.remove());
  lay(copy, { x: 0, y: above, width, height });
  picture.append(copy);
  return picture;
}

/** @param {SVGSVGElement} svg */
const copyOf = (svg) => /** @type {SVGSVGElement} */ (svg.cloneNode(true));

/** @param {SVGSVGElement} svg @param {{ x: number, y: number, width: number, height: number }} box */
function lay(svg, box) {
  for (const [name, value] of Object.entries(box)) svg.setAttribute(name, String(value));
}

/**
 * Replace each canvas in the copy with an image: a canvas is copied without its content.
 *
 * @param {SVGSVGElement} svg @param {SVGSVGElement} copy
 */
function withImages(svg, copy) {
  const places = [...copy.querySelectorAll("foreignObject")];
  [...svg.querySelectorAll("foreignObject")].forEach((frame, i) => {
    const canvas = frame.querySelector("canvas");
    const size = Object.fromEntries(
      ["x", "y", "width", "height"].map((name) => [name, String(frame.getAttribute(name))]),
    );
    if (canvas) places[i].replaceWith(drawSvg("image", { ...size, href: canvas.toDataURL() }));
  });
  return copy;
}

/** @param {string} text @param {number} room */
function wrap(text, room) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trimStart();
    if (textWidth(longer, 18) > room && lines.at(-1)) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** @param {Layers[]} groups @param {HTMLElement} element */
function compose(groups, element) {
  const boxes = groups.map(([svg]) => svg.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const width = Math.ceil(Math.max(...boxes.map((box) => box.right)) - left);
  const height = Math.ceil(Math.max(...boxes.map((box) => box.bottom)) - top);
  const picture = drawSvg("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  const style = getComputedStyle(element);
  picture.setAttribute("font-family", style.fontFamily);
  drawSvg("rect", { width, height, fill: style.getPropertyValue("--st-background-color") || "#ffffff" }, picture);
  groups.forEach((layers, i) => {
    for (const layer of layers) {
      const copy = copyOf(layer);
      copy.removeAttribute("style");
      const { width, height } = boxes[i];
      lay(copy, { x: boxes[i].left - left, y: boxes[i].top - top, width, height });
      picture.append(copy);
    }
  });
  return picture;
}

/** @param {Blob} blob @param {SVGSVGElement} picture @returns {Promise<Blob>} */
async function rasterise(blob, picture) {
  const url = URL.createObjectURL(blob);
  const image = new Image();
  image.src = url;
  await image.decode();
  const scale = 2;
  const canvas = document.createElement("canvas");
  canvas.width = scale * Number(picture.getAttribute("width"));
  canvas.height = scale * Number(picture.getAttribute("height"));
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")).drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  return new Promise((resolve) => canvas.toBlob((made) => resolve(/** @type {Blob} */ (made)), "image/png"));
}
