// The names above the parts of the model, which zoom to a part when pressed, and the keys below weights.

import { cutText, textWidth } from "../../drawing/pen.js";
import { openPart } from "./transformer_moves.js";
import { hasKeys, standsFor } from "./transformer_numbers.js";
import { boxOf, heightOf, isCovered, isInSight, keysOf, laneOf, onScreen } from "./transformer_places.js";
import { nameOf } from "./transformer_tree.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Part } from "./transformer_tree.js" */
/** @import { Draw, Drawing, View } from "./transformer_view.js" */

/** @typedef {{ y: number, bold: boolean }} Row y: the base line of its names */

const SLOPING = 44; // maximum length of a sloping word, in units

/**
 * Two rows of names above each strip: the drawn parts, and above them the open ones.
 *
 * @type {Draw}
 */
export function drawNames(pen, drawing) {
  const { parts, strips, plot } = drawing;
  const open = parts.open.filter((part) => part.children.some((each) => parts.drawn.includes(each)));
  strips.forEach((_, strip) => {
    if (!isInSight(drawing, strip)) return;
    const top = Math.max(laneOf(drawing, strip, 0).top, plot.top);
    /** @type {(of: Part[]) => Part[]} */
    const here = (of) => of.filter((part) => part.strip === strip);
    drawRow(pen, drawing, here(open), { y: top - 34, bold: true });
    drawRow(pen, drawing, here(parts.drawn), { y: top - 14, bold: false });
  });
}

/**
 * A row of names; names without room are left out.
 *
 * @param {Pen} pen @param {Drawing} drawing @param {Part[]} parts @param {Row} row
 */
function drawRow(pen, drawing, parts, { y, bold }) {
  const { look, scene } = drawing;
  const size = scene.narrow ? 13 : 14;
  let free = -Infinity; // where the last name ends
  for (const part of parts) {
    const { from, middle, room } = onScreen(drawing, boxOf(drawing, part));
    const title = [part.title, part.short].find((text) => textWidth(text, size, bold) * 1.05 + 6 <= room);
    if (!title) continue;
    const wide = textWidth(title, size, bold) * 1.05;
    const x = bold && part.strip ? from + 4 : middle - wide / 2; // the arrows of m are in the middle
    if (x < free) continue;
    free = x + wide + 5;
    pen.button(
      `Zoom to ${nameOf(part)}`,
      () => openPart(drawing, part),
      (button) => {
        button.rect(x - 3, y - size, wide + 6, size + 5, { fill: "transparent", r: 3 });
        button.text(x + wide / 2, y, title, { size, bold, anchor: "middle", fill: nameColour(drawing, part, bold) });
      },
      { key: `name ${part.id}`, disabled: part === look.part && look.flight === null },
    );
  }
}

/**
 * @param {View} view
 * @param {Part} part
 * @param {boolean} bold whether the part is open
 */
function nameColour({ look, scene: { colour } }, part, bold) {
  if (part === look.part) return colour.ink;
  if (part.kind === "attention" || part.kind === "head") return colour.weight;
  return bold ? colour.ink : colour.quiet;
}

/**
 * The keys below the cells of scores and weights, and of a head's weights: horizontal, or sloping if there is less
 * room.
 *
 * @type {Draw}
 */
export function drawKeys(pen, drawing) {
  const { parts, plot, look, last, scene } = drawing;
  if (look.moving) return;
  const size = scene.narrow ? 13 : 14;
  for (const part of parts.drawn) {
    const tile = part.kind === "head" ? standsFor(drawing.model, part) : part;
    if (!tile || !hasKeys(tile.stage)) continue;
    const keys = keysOf(drawing, tile);
    const wide = boxOf(drawing, part).width / keys.length;
    const { bottom } = heightOf(drawing, part);
    const upright = keys.every((key) => textWidth(key, size) + 6 <= wide);
    const below = (part.strip < last && isInSight(drawing, 1)) || bottom > plot.top + plot.height + 1;
    if (!upright && (wide < size || below)) continue; // the space between the strips is for names
    const y = Math.min(bottom, plot.top + plot.height) + (upright ? 15 : 12);
    drawKeysOf(pen, drawing, part, keys, { y, size, wide, upright });
  }
}

/**
 * @param {Pen} pen
 * @param {Drawing} drawing
 * @param {Part} part
 * @param {readonly string[]} keys
 * @param {{ y: number, size: number, wide: number, upright: boolean }} at
 */
function drawKeysOf(pen, drawing, part, keys, { y, size, wide, upright }) {
  const { plot, scene } = drawing;
  const { left } = boxOf(drawing, part);
  keys.forEach((key, n) => {
    const x = left + (n + 0.5) * wide;
    if (x - wide / 2 < plot.left - 1 || x + wide / 2 > plot.left + plot.width + 1 || isCovered(drawing, x, y)) return;
    const look = { key: `key ${part.id} ${n}`, size, fill: scene.colour.key };
    const turned = `translate(${x + 4} ${y}) rotate(-45)`;
    if (upright) pen.text(x, y, key, { ...look, anchor: "middle" });
    else pen.text(0, 0, cutText(key, SLOPING, size), { ...look, anchor: "end", transform: turned });
  });
}
