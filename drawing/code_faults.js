// A slide's code, corrected. What the slide has wrong is marked; pressed, it is put back alone, and what it does stands
// beside the code: the error and the line at which it stops, or the wrong number beside the right one.

import { boxesOf, codeWidth, layCode, writeCode, writePiece } from "./code_lines.js";
import { mainPicture } from "./main_picture.js";
import { textWidth } from "./pen.js";

/** @import { CodeSpot, Component, Scripts } from "./types.js" */
/** @import { Aside, LaidCode, Piece } from "./code_lines.js" */
/** @import { Scene } from "./main_picture.js" */
/** @import { Pen } from "./pen.js" */
/** @typedef {Scene<"code_faults">} FaultsScene */
/** @typedef {{ left: number, right: number, top: number, foot: number }} Panel */
/** @typedef {{ laid: LaidCode, lines: readonly string[], chosen: number, panel: Panel }} Laid `chosen`: −1 for none */

const FAINT = 0.25; // what is not reached
const KINDS = /** @type {const} */ (["stops", "runs", "missing"]);

/** @param {Component<Scripts["code_faults"]>} component */
export default function code_faults(component) {
  return mainPicture(component, (pen, /** @type {FaultsScene} */ scene) => {
    const at = placesOf(scene);
    pen.part(scene, "code", (its) => drawCode(its, scene, at));
    pen.part(scene, "result", (its) => (at.chosen < 0 ? drawTally : drawResult)(its, scene, at));
  });
}

/** @param {FaultsScene} scene @returns {Laid} */
function placesOf(scene) {
  const { data, width, height, narrow } = scene;
  const chosen = Math.round(scene.final("fault")) - 1;
  const spot = data.spots[chosen];
  const lines = data.lines.map((text, line) =>
    spot?.line === line && spot.put ? text.slice(0, spot.start) + spot.put + text.slice(spot.end) : text,
  );
  const asides = new Map(data.spots.filter(({ was }) => was).map(({ line, was }) => [line, was]));
  const split = narrow ? width : Math.round(width * 0.63);
  const high = narrow ? height - 118 : height - 8;
  const box = { left: narrow ? 4 : 26, top: 4, high, room: split - (narrow ? 6 : 36) };
  const laid = layCode(lines, narrow ? new Map() : asides, { ...box, most: narrow ? 15 : 19, least: narrow ? 13 : 14 });
  const panel = narrow
    ? { left: 6, right: width - 6, top: laid.foot + 10, foot: height - 4 }
    : { left: split + 22, right: width - 10, top: 6, foot: height - 8 };
  return { laid, lines, chosen, panel };
}

/** @param {FaultsScene} scene @param {string} kind */
const colourOf = ({ colour, hidden }, kind) =>
  hidden("stops") ? colour.ink : kind === "stops" ? colour.gradient : kind === "runs" ? colour.loss : colour.quiet;

/** @param {Pen} pen @param {FaultsScene} scene @param {Laid} at */
function drawCode(pen, scene, at) {
  const { data } = scene;
  const spot = data.spots[at.chosen];
  if (!scene.narrow) {
    const { left, top, foot } = at.panel;
    pen.line(left - 20, top, left - 20, foot, { key: "split", stroke: scene.colour.line });
  }
  data.spots.forEach((each, n) => drawMark(pen, scene, at, each, n));
  for (const piece of at.laid.pieces) {
    const after =
      spot && (spot.kind === "stops" ? piece.line > spot.stops : spot.kind === "missing" && piece.line > spot.line);
    const out =
      spot && !spot.put && spot.line === piece.line && spot.end - spot.start === at.lines[spot.line].trim().length;
    writePiece(pen, at.laid, spot ? without(piece, spot.line, shownOf(scene, at, spot)) : piece, {
      "fill-opacity": after ? FAINT : out ? 0.5 : null,
      "pointer-events": "none",
    });
  }
  for (const aside of at.laid.asides) drawAside(pen, scene, at, aside, spot ? FAINT : 1);
  if (spot) drawPut(pen, scene, at, spot);
}

/**
 * A piece of the code with a gap where the part that is put back is drawn.
 *
 * @param {Piece} piece @param {number} line @param {number[]} part
 */
function without(piece, line, [start, end]) {
  const { from, text } = piece;
  const [first, last] = [start, end].map((at) => Math.min(Math.max(at - from, 0), text.length));
  if (piece.line !== line || first === last) return piece;
  return { ...piece, text: text.slice(0, first) + " ".repeat(last - first) + text.slice(last) };
}

/**
 * The slide’s wording of a line, struck out.
 *
 * @param {Pen} pen @param {FaultsScene} scene @param {Laid} at @param {Aside} aside @param {number} opacity
 */
function drawAside(pen, { colour }, { laid: { size } }, { line, text, x, y }, opacity) {
  pen.group({ key: `was ${line}`, opacity, "pointer-events": "none" }, (its) => {
    writeCode(its, x, y, text, { size, fill: colour.quiet });
    const middle = y - size * 0.3;
    its.line(x - 3, middle, x + codeWidth(text, size) + 3, middle, { stroke: colour.gradient, width: 2 });
  });
}

/**
 * A part that the slide has wrong, as something to press; while a fault is put back, the others are pale.
 *
 * @param {Pen} pen @param {FaultsScene} scene @param {Laid} at @param {CodeSpot} spot @param {number} n
 */
function drawMark(pen, scene, at, spot, n) {
  const chosen = n === at.chosen;
  const [start, end] = shownOf(scene, at, spot);
  const boxes = boxesOf(at.laid, spot.line, start, end);
  const colour = colourOf(scene, spot.kind);
  const pale = at.chosen >= 0 && !chosen;
  /** @param {Pen} its */
  const draw = (its) =>
    boxes.forEach(({ x, y, wide, high }) => {
      const fill = chosen ? its.colour.mark : colour;
      its.rect(x - 2, y, wide + 4, high, { r: 3, fill, "fill-opacity": chosen ? 1 : pale ? 0.06 : 0.16 });
      const dash = spot.kind === "stops" || scene.hidden("stops") ? null : spot.kind === "runs" ? "7 4" : "2 4";
      const under = { stroke: colour, width: 3, dash, "stroke-opacity": pale ? 0.35 : null };
      its.line(x - 1, y + high - 1, x + wide + 1, y + high - 1, under);
    });
  const name = `Put back: ${spot.was || spot.put || `no ${scene.data.lines[spot.line].slice(spot.start, spot.end)}`}`;
  const press = () => scene.move("fault", chosen ? 0 : n + 1, true);
  pen.button(name, press, draw, { key: `spot ${n}`, chosen });
}

/**
 * Where a spot stands in the lines as they are shown, one of which another spot may have changed.
 *
 * @param {FaultsScene} scene @param {Laid} at @param {CodeSpot} spot
 */
function shownOf({ data }, { chosen }, spot) {
  const put = data.spots[chosen];
  if (!put || put.line !== spot.line || !put.put) return [spot.start, spot.end];
  const longer = put.put.length - (put.end - put.start);
  if (put === spot) return [spot.start, spot.start + spot.put.length];
  return spot.start >= put.end ? [spot.start + longer, spot.end + longer] : [spot.start, spot.end];
}

/**
 * What is left out is struck, and a cross stands at the line at which the code stops.
 *
 * @param {Pen} pen @param {FaultsScene} scene @param {Laid} at @param {CodeSpot} spot
 */
function drawPut(pen, scene, at, spot) {
  const { colour, narrow } = scene;
  pen.group({ key: "put", "pointer-events": "none" }, (its) => drawMarked(its, scene, at, spot));
  const last = at.laid.pieces.filter(({ line }) => line === spot.stops).pop();
  if (!last || scene.hidden("stops")) return;
  const y = last.y - at.laid.size * 0.32;
  const [from, to] = [last.x + codeWidth(last.text, at.laid.size) + 10, at.panel.left - 20];
  const look = { stroke: colour.gradient, width: 2.5 };
  if (!narrow && to > from) pen.line(from, y, to, y, { key: "stops", ...look, dash: "2 5" });
  const [x, r] = narrow ? [Math.min(from + 4, at.panel.right - 8), 6] : [13, 7];
  pen.path(`M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`, {
    key: "cross",
    ...look,
    width: 4,
  });
}

/**
 * The part that is put back, on the mark: struck if nothing stands in its place.
 *
 * @param {Pen} pen @param {FaultsScene} scene @param {Laid} at @param {CodeSpot} spot
 */
function drawMarked(pen, scene, { laid, lines, chosen, panel }, spot) {
  const [start, end] = shownOf(scene, { laid, lines, chosen, panel }, spot);
  const { size, letter } = laid;
  let from = start;
  for (const { x, y, wide, high } of boxesOf(laid, spot.line, start, end)) {
    const text = lines[spot.line].slice(from, from + Math.round(wide / letter));
    from += text.length;
    pen.rect(x - 2, y, wide + 4, high - 2, { r: 3, fill: pen.colour.mark });
    writeCode(pen, x, y + size * 0.98, text, { size, fill: pen.colour.onMark });
    if (!spot.put) pen.line(x, y + high / 2, x + wide, y + high / 2, { stroke: pen.colour.onMark, width: 2 });
  }
}

/**
 * How many faults stop the code, and how many run.
 *
 * @param {Pen} pen @param {FaultsScene} scene @param {Laid} at
 */
function drawTally(pen, scene, { panel }) {
  const { data, colour, narrow, text } = scene;
  const shown = KINDS.filter((kind) => data.spots.some((spot) => spot.kind === kind));
  const told = {
    stops: ["stop", "with an error"],
    runs: ["run", "and give wrong numbers"],
    missing: ["is missing", "the slide ends before it"],
  };
  const row = narrow ? 28 : Math.min((panel.foot - panel.top - 50) / shown.length, 112);
  shown.forEach((kind, n) => {
    const y = panel.top + row * n + (narrow ? 18 : row / 2 + 12);
    const fill = colourOf(scene, kind);
    const size = narrow ? 22 : 54;
    pen.text(panel.left, y, text(kind), { key: `count ${kind}`, size, bold: true, fill });
    const beside = panel.left + (narrow ? 26 : 54);
    const [verb, what] = told[kind];
    const joined = kind === "missing" ? `${verb}: ${what}` : `${verb} ${what}`;
    if (narrow) return void pen.text(beside, y, joined, { key: `told ${kind}`, size: 15 });
    pen.text(beside, y - 22, verb, { key: `verb ${kind}`, size: 24, bold: true, fill });
    return void pen.text(beside, y + 4, what, { key: `told ${kind}`, size: 20 });
  });
  const said = "Press a marked part: it alone is put back.";
  const y = narrow ? panel.top + row * shown.length + 14 : panel.foot - 8;
  const look = { key: "press", size: narrow ? 13 : 17, fill: colour.quiet, room: panel.right - panel.left };
  if (y <= panel.foot) pen.text(panel.left, y, said, look);
}

/**
 * What the fault that was put back does.
 *
 * @param {Pen} pen @param {FaultsScene} scene @param {Laid} at
 */
function drawResult(pen, scene, { chosen, panel }) {
  const { data, colour, narrow, hidden } = scene;
  const spot = data.spots[chosen];
  const room = panel.right - panel.left;
  const small = narrow ? 13 : 19;
  const turn = { key: "turn", size: narrow ? 13 : 16, fill: colour.quiet };
  let y = panel.top + (narrow ? 8 : 16);
  if (!narrow)
    pen.text(panel.left, y, `Fault ${chosen + 1} of ${data.spots.length}, alone in the corrected code`, turn);
  y += narrow ? 10 : 46;
  if (hidden("stops")) return void pen.text(panel.left, y, "?", { key: "head", size: narrow ? 22 : 34, bold: true });
  const head = spot.kind === "stops" ? spot.head : "It runs";
  const fill = colourOf(scene, spot.kind);
  const headSize = narrow ? 21 : fitted(head, room, 36);
  pen.text(panel.left, y, head, { key: "head", size: headSize, bold: true, fill });
  y += narrow ? 20 : 34;
  if (spot.of) y = drawNumbers(pen, scene, { ...panel, top: y }, chosen);
  else {
    const size = narrow ? 13 : 19;
    for (const [n, line] of wrapped(spot.says, room, size, spot.kind === "stops")
      .slice(0, narrow ? 3 : 7)
      .entries()) {
      const look = { key: `says ${n}`, size };
      if (spot.kind === "stops") writeCode(pen, panel.left, y, line, look);
      else pen.text(panel.left, y, line, look);
      y += size * 1.36;
    }
  }
  y += narrow ? 4 : 22;
  const right = wrapped(spot.right, room - (narrow ? 0 : 4), small, false).slice(0, narrow ? 2 : 5);
  if (narrow) y = Math.min(y, panel.foot - (right.length - 1) * 17);
  else pen.text(panel.left, y, "Right:", { key: "right", size: small, bold: true, fill: colour.activation });
  if (!narrow) y += small * 1.36;
  right.forEach((line, n) => {
    pen.text(panel.left, y + n * small * 1.36, line, { key: `right ${n}`, size: small });
  });
}

/**
 * The wrong number and the right one, each with its bar; returns where they end.
 *
 * @param {Pen} pen @param {FaultsScene} scene @param {Panel} panel @param {number} n
 */
function drawNumbers(pen, scene, { left, right, top }, n) {
  const { data, colour, narrow, values, text } = scene;
  const both = /** @type {const} */ ([`wrong ${n}`, `right ${n}`]);
  const most = Math.max(...both.map((name) => Math.abs(values(name)))) || 1;
  const size = narrow ? 14 : 17;
  pen.text(left, top + (narrow ? 0 : 2), data.spots[n].of, { key: "of", size, fill: colour.quiet });
  const row = narrow ? 22 : 62;
  const from = left + (narrow ? 130 : 0);
  both.forEach((name, k) => {
    const fill = k ? colour.activation : colour.loss;
    const y = top + (narrow ? 10 : 20) + k * row;
    const long = (Math.abs(values(name)) / most) * (right - from - 4);
    const said = `${text(name)}${k ? ", right" : ", with the fault"}`;
    pen.text(left, y + (narrow ? 13 : 20), said, { key: name, size: narrow ? 15 : 24, bold: true, fill });
    const bar = { key: `bar ${k}`, fill, r: 2 };
    pen.rect(
      narrow ? from + 20 : from,
      narrow ? y + 2 : y + 28,
      Math.max(narrow ? long - 20 : long, 2),
      narrow ? 13 : 16,
      bar,
    );
  });
  return top + (narrow ? 10 : 20) + 2 * row + (narrow ? 8 : 4);
}

/** @param {string} text @param {number} room @param {number} most */
function fitted(text, room, most) {
  const wide = textWidth(text, most, true);
  return wide > room ? (most * room) / wide : most;
}

/**
 * A text in lines of at most `room`.
 *
 * @param {string} text @param {number} room @param {number} size @param {boolean} code in letters of one width
 */
function wrapped(text, room, size, code) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    const wide = code ? codeWidth(longer, size) : textWidth(longer, size);
    if (lines.length && wide <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
