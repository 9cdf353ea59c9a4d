// A text and the same words in another order, a line from each word to its new place; below, what each reader guesses.

import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";
import { middlesOf, placesOf } from "./reordered_places.js";

/** @import { Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { ReorderedPlaces, ReorderedScene } from "./reordered_places.js" */
/** @typedef {(pen: Pen, scene: ReorderedScene, at: ReorderedPlaces) => void} Draw */

const PER = 24; // units of a drag to the next order

/** @param {Component<Scripts["reordered"]>} component */
export default function reordered(component) {
  return mainPicture(component, (pen, /** @type {ReorderedScene} */ scene) => {
    const at = placesOf(scene);
    pen.part(scene, "order", (its) => drawOrders(its, scene, at));
    drawHeads(pen, scene, at);
    const [bag, ...others] = scene.data.readers.map((_, n) => n);
    pen.part(scene, "bag", (its) => drawReader(its, scene, at, bag));
    pen.part(scene, "readers", (its) => others.forEach((n) => drawReader(its, scene, at, n)));
  });
}

/** @param {string} name @returns {NameOf<"reordered">} */
const nameOf = (name) => /** @type {NameOf<"reordered">} */ (name);

/**
 * Both orders, and a line from each word to its place in the other. Dragged sideways, they show other orders.
 *
 * @type {Draw}
 */
function drawOrders(pen, { data, final, colour, width, narrow }, { edge, first, second, size }) {
  const { tokens, gap } = data;
  const room = width - 2 * edge;
  const own = middlesOf(
    tokens,
    tokens.map((_, t) => t),
    size,
    room,
  );
  const to = tokens.map((_, t) => Math.round(final(nameOf(`to ${t}`))));
  const other = middlesOf(tokens, to, size, room);
  tokens.forEach((token, t) => {
    const moved = to[t] !== t;
    const [x, y] = [edge + own[t], first + 0.36 * size];
    const [toX, toY] = [edge + other[t], second - size];
    const middle = (y + toY) / 2;
    const ink = t === gap ? colour.gradient : moved ? colour.input : colour.quiet;
    const line = { key: `line ${t}`, stroke: ink, width: moved ? 2.5 : 1.2 };
    pen.path(`M${x} ${y}C${x} ${middle} ${toX} ${middle} ${toX} ${toY}`, line);
    const look = { size, bold: true, anchor: /** @type {const} */ ("middle"), fill: t === gap ? ink : colour.ink };
    pen.text(x, first, token, { ...look, key: `own ${t}` });
    pen.text(toX, second, token, { ...look, key: `other ${t}`, fill: moved && t !== gap ? colour.input : look.fill });
  });
  const drags = { class: "handle", "data-n": "seed", "data-per": narrow ? 12 : PER, "data-way": "x" };
  pen.group({ key: "orders", ...drags, style: "cursor: ew-resize; touch-action: pan-y" }, (its) =>
    its.rect(edge, first - size, room, second - first + size + 8, { fill: "transparent" }),
  );
}

/**
 * The heads of the columns.
 *
 * @type {Draw}
 */
function drawHeads(pen, { colour, width, narrow }, { bars, top, edge }) {
  const size = narrow ? 13 : 16;
  const look = { size, fill: colour.quiet };
  ["first guess: the text", narrow ? "another order" : "first guess: another order"].forEach((said, n) => {
    pen.text(bars[n](0), top - 8, said, { ...look, key: `head ${n}`, room: bars[n](1) - bars[n](0) });
  });
  pen.text(width - edge, top - 8, narrow ? "|Δp|" : "largest |Δp|", { ...look, key: "head moved", anchor: "end" });
}

/**
 * A reader: its first guess in both orders, and how far its answer changed.
 *
 * @param {Pen} pen @param {ReorderedScene} scene @param {ReorderedPlaces} at @param {number} n
 */
function drawReader(pen, scene, at, n) {
  const { data, colour, text, hidden, final, width, narrow } = scene;
  const y = at.top + n * at.row;
  const asked = hidden(nameOf(`moved ${n}`));
  const still = !asked && final(nameOf(`moved ${n}`)) === 0;
  pen.line(at.edge, y, width - at.edge, y, { key: `rule ${n}`, stroke: colour.line });
  const middle = narrow ? y + 0.5 * (at.row + 18) : y + at.row / 2;
  const label = { key: `label ${n}`, size: narrow ? 13 : 18, bold: n === 0 };
  pen.text(at.edge, narrow ? y + 16 : middle + 6, data.readers[n], { ...label, room: narrow ? 200 : 184 });
  drawGuess(pen, scene, at, { n, order: 0, middle });
  if (!asked) drawGuess(pen, scene, at, { n, order: 1, middle });
  const moved = asked ? "?" : text(nameOf(`moved ${n}`));
  const size = narrow ? 15 : still ? 26 : 20;
  const wide = textWidth(moved, size, true);
  pen.markedText(width - at.edge - 4 - wide, middle + 0.35 * size, moved, still, {
    key: `moved ${n}`,
    size,
    bold: true,
  });
}

/**
 * A first guess: a bar as long as its probability, and its word.
 *
 * @param {Pen} pen @param {ReorderedScene} scene @param {ReorderedPlaces} at
 * @param {{ n: number, order: number, middle: number }} of 0 is the text's own order
 */
function drawGuess(pen, scene, at, { n, order, middle }) {
  const { data, colour, values, final, text, narrow } = scene;
  const [chance, guess] = order ? [`p ${n}`, `guess ${n}`] : [`first ${n}`, `firstGuess ${n}`];
  const x = at.bars[order];
  const word = data.guesses[Math.round(final(nameOf(guess)))];
  const same = final(nameOf(`guess ${n}`)) === final(nameOf(`firstGuess ${n}`));
  const fill = order && !same ? colour.gradient : colour.activation;
  const high = Math.min(at.row - (narrow ? 22 : 12), narrow ? 20 : 34);
  const box = { key: `track ${order} ${n}`, r: 4, fill, "fill-opacity": 0.12 };
  pen.rect(x(0), middle - high / 2, x(1) - x(0), high, box);
  const bar = { key: `bar ${order} ${n}`, r: 4, fill, "fill-opacity": 0.45 };
  pen.rect(x(0), middle - high / 2, x(values(nameOf(chance))) - x(0), high, bar);
  const size = narrow ? 14 : 19;
  const said = narrow ? word : `${word}  ${text(nameOf(chance))}`;
  const look = { key: `guess ${order} ${n}`, size, bold: true, room: x(1) - x(0) - 14 };
  pen.text(x(0) + 8, middle + 0.35 * size, said, look);
}
