// Below the model: the path to the current part, a link to its own page, the readout, and the zoom buttons.

import { formatNumber } from "../../drawing/numbers.js";
import { cutText, textWidth } from "../../drawing/pen.js";
import { signs, SIGNS_WIDE } from "../../drawing/signs.js";
import { fitPart, sameCamera, zoomed } from "./transformer_camera.js";
import { moveTo, openPart } from "./transformer_moves.js";
import { hasKeys, numbersOf } from "./transformer_numbers.js";
import { keysOf, tokensOf } from "./transformer_places.js";
import { nameOf, wayTo } from "./transformer_tree.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, Drawing, View } from "./transformer_view.js" */

/** @typedef {{ y: number, size: number }} Line its base line, and the size of its words */
/** @typedef {{ text: string, at?: string, value?: number }} Readout at, value: of a number */

/** @type {Draw} */
export function drawFoot(pen, drawing) {
  const { width, height, data, narrow } = drawing.scene;
  const line = { y: height - 14, size: narrow ? 13 : 14 };
  let right = drawZoom(pen, drawing, line);
  if (width >= 480) signs(pen, { x: (right -= SIGNS_WIDE + 8), y: line.y, fills: data.signed });
  const left = drawWay(pen, drawing, line);
  if (!narrow) right = drawDoor(pen, drawing, line, right);
  drawReadout(pen, drawing, line, { left, right });
}

/**
 * The buttons that zoom.
 *
 * @param {Pen} pen
 * @param {Drawing} drawing
 * @param {Line} line
 * @returns {number} where there is room left of them
 */
function drawZoom(pen, drawing, { y }) {
  const { look, scene } = drawing;
  const { background, quiet } = scene.colour;
  const buttons = /** @type {const} */ ([
    { sign: "+", name: "Zoom in", factor: 1.6 },
    { sign: "−", name: "Zoom out", factor: 1 / 1.6 },
  ]);
  let right = scene.width - 8;
  for (const { sign, name, factor } of buttons) {
    const left = right - 30;
    pen.button(
      name,
      () => moveTo(drawing, zoomed(look.camera, 0.5, 0.5, factor, look.part.kind === "tile")),
      (button) => {
        button.rect(left, y - 19, 30, 26, { fill: background, stroke: quiet, r: 8 });
        button.text(left + 15, y, sign, { size: 17, bold: true, anchor: "middle" });
      },
      { key: `zoom ${sign}` },
    );
    right = left - 6;
  }
  return right;
}

/**
 * The path to the current part: a button for it and for each part that contains it.
 *
 * @param {Pen} pen
 * @param {Drawing} drawing
 * @param {Line} line
 * @returns {number} where there is room right of them
 */
function drawWay(pen, drawing, { y, size }) {
  const { look, strips, scene } = drawing;
  const { colour, width, narrow } = scene;
  let left = 10;
  for (const part of wayTo(look.part)) {
    const wide = textWidth(part.title, size, true) * 1.05;
    if (left + wide > width * (narrow ? 0.55 : 0.42)) break;
    const near = part === look.part;
    if (part.parent) {
      pen.text(left, y, "›", { key: `then ${part.id}`, size, fill: colour.quiet });
      left += 12;
    }
    const x = left;
    pen.button(
      `Back to ${nameOf(part)}`,
      () => openPart(drawing, part),
      (button) => {
        button.rect(x - 3, y - 17, wide + 6, 23, { fill: "transparent", r: 4 });
        button.text(x, y, part.title, { size, bold: true, fill: near ? colour.ink : colour.input });
      },
      {
        key: `way ${part.id}`,
        disabled: near && look.flight === null && sameCamera(look.camera, fitPart(part, strips)),
      },
    );
    left += wide + 8;
  }
  return left;
}

/**
 * The link to the page that shows the part on its own, if there is one.
 *
 * @param {Pen} pen
 * @param {Drawing} drawing
 * @param {Line} line
 * @param {number} right
 * @returns {number} where there is room left of it
 */
function drawDoor(pen, drawing, { y, size }, right) {
  const door = doorOf(drawing);
  if (!door) return right;
  const { background, input } = drawing.scene.colour;
  const text = `Open in ${door.page} ›`;
  const wide = textWidth(text, size, true) * 1.05 + 20;
  pen.group({ tag: "a", href: door.address, target: "_self", key: "door", "aria-label": text }, (link) => {
    link.rect(right - wide, y - 19, wide, 26, { fill: background, stroke: input, r: 13 });
    link.text(right - wide / 2, y, text, { size, bold: true, anchor: "middle", fill: input });
  });
  return right - wide - 10;
}

/**
 * The page of the current part, or else of the smallest containing part that has a page; null if none has.
 *
 * @param {View} view
 */
function doorOf({ look, place, scene: { data } }) {
  for (const part of wayTo(look.part).reverse()) {
    const door = data.doors[part.id] ?? data.doors[lastName(part.kind === "tile" ? part.stage : part.id)];
    if (!door) continue;
    const block = /^[bde](\d+)/.exec(part.id)?.[1];
    const head = /head\.(\d+)/.exec(part.id)?.[1] ?? /head\.(\d+)/.exec(part.parent?.id ?? "")?.[1];
    const address = door.address
      .replaceAll("LAYER", String(Number(block ?? 1) - 1))
      .replaceAll("HEAD", String(Number(head ?? 1) - 1))
      .replaceAll("TOKEN", String(place))
      .replaceAll("ORDINAL", String(place + 1));
    return { page: door.page, address };
  }
  return null;
}

/**
 * The last word of an id or a stage, such as alpha of b1.alpha.3.
 *
 * @param {string} id
 */
const lastName = (id) =>
  id
    .split(".")
    .filter((each) => !/^\d+$/.test(each))
    .at(-1) ?? "";

/**
 * The number or part that is pointed at, in words, or a hint how to move the model.
 *
 * @param {Pen} pen @param {Drawing} drawing @param {Line} line @param {{ left: number, right: number }} between
 */
function drawReadout(pen, drawing, { y, size }, { left, right }) {
  const { colour, narrow } = drawing.scene;
  const readout = readoutOf(drawing);
  const hint = narrow ? "" : "Press a part to bring it near; the wheel zooms, dragging moves";
  const room = right - left - 14;
  pen.text(left + 10, y, room > 60 ? cutText(readout?.text ?? hint, room, size) : "", {
    key: "readout",
    size,
    fill: readout ? colour.ink : colour.quiet,
    "data-part": "readout",
    "data-at": readout?.at,
    "data-value": readout?.value,
  });
}

/** @param {View} view @returns {Readout | null} */
function readoutOf(view) {
  const { over } = view.look;
  if (!over) return null;
  const { part, cell } = over;
  const numbers = cell && numbersOf(view.model, part);
  if (!cell || !numbers) return { text: nameOf(part) };
  const column = part.first + cell.column;
  const value = numbers.at(cell.row, cell.column);
  const token = tokensOf(view, part.strip)[cell.row];
  const where = hasKeys(part.stage) ? `for ${keysOf(view, part)[cell.column]}` : `column ${column}`;
  return {
    text: `${formatNumber(value)}: ${token}, ${where} of ${nameOf(part)}`,
    at: `${part.stage}[${cell.row}, ${column}]`,
    value,
  };
}
