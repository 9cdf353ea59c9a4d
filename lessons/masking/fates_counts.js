// How many words meet each fate in this draw, how many were expected, and a word of each.

import { textWidth } from "../../drawing/pen.js";
import { isAsked, PARTS, ROLES } from "./fates_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { NameOf } from "../../drawing/types.js" */
/** @import { Box } from "./fates_places.js" */
/** @import { FatesScene, Words } from "./fates_scene.js" */
/**
 * A row of the counts: its part, its number, the expected one, its label, its colour, and its fate.
 *
 * @typedef {{ part: string, count: NameOf<"fates">, expected?: NameOf<"fates">, label: string, role: string, fate: number }} Count
 */
/** @typedef {{ x: number, y: number, size: number, room: number }} Spot */

const LABELS = ["not chosen", "[MASK]", "random word", "kept"];
const REST = "read, no term in the loss";
const FAINT = 0.3; // of a fate that no word can meet
/** The number that each sentence names. */
const NAMED = /** @type {const} */ (["n_chosen", "n_chosen", "n_chosen", "n_masked", "n_rest", "n_often"]);
const ORDER = [1, 2, 3, 0];

/** @type {readonly Count[]} */
const COUNTS = [
  { part: "chosen", count: "n_chosen", expected: "e_chosen", label: "chosen", role: "loss", fate: -1 },
  ...ORDER.map((fate) => ({
    part: PARTS[fate],
    count: /** @type {NameOf<"fates">} */ (`n_${PARTS[fate]}`),
    expected: fate ? /** @type {NameOf<"fates">} */ (`e_${PARTS[fate]}`) : undefined,
    label: LABELS[fate],
    role: fate ? ROLES[fate] : "quiet",
    fate,
  })),
];

/** @param {Pen} pen @param {FatesScene} scene @param {Words} words @param {Box} box of the field */
export function drawCounts(pen, scene, words, box) {
  const { width, height, narrow } = scene;
  const top = narrow ? box.top + box.high + 22 : 8;
  const step = (height - top - (narrow ? 0 : 8)) / COUNTS.length;
  const left = narrow ? 8 : box.left + box.wide + 34;
  COUNTS.forEach((count, n) => {
    const y = top + n * step + (narrow ? step * 0.7 : step * 0.52);
    const spot = { x: left, y, size: narrow ? 19 : Math.min(step * 0.5, 40), room: width - left - 8 };
    const opacity = count.expected && !scene.values(count.expected) ? FAINT : 1;
    pen.part(scene, count.part, (its) => drawCount(its, scene, words, count, spot), { opacity });
  });
}

/**
 * @param {Pen} pen @param {FatesScene} scene @param {Words} words @param {Count} its @param {Spot} spot
 */
function drawCount(pen, scene, words, its, { x, y, size, room }) {
  const { colour, text, narrow } = scene;
  const { count, label, role, fate } = its;
  const open = fate < 1 || isOpen(scene);
  const named = open && isNamed(scene, its);
  const fill = colour[role];
  const right = x + textWidth("00000", size, true);
  const look = /** @type {const} */ ({ key: count, size, bold: true, fill, anchor: "end" });
  pen.markedText(right, y, open ? text(count) : "?", named, look);
  const column = right + (narrow ? 12 : 18);
  const swatch = narrow ? 12 : 16;
  if (fate >= 0) pen.rect(column, y - swatch * 0.85, swatch, swatch, { r: 2, fill: colour[ROLES[fate]] });
  const after = column + (fate < 0 ? 0 : swatch + 8);
  const big = narrow ? 15 : 20;
  pen.text(after, y, label, { key: "label", size: big, bold: true, fill });
  const at = narrow ? { x: after + textWidth(label, big, true) + 10, y } : { x: column, y: y + 23 };
  drawBesides(pen, scene, at, x + room - at.x, besides(scene, words, its));
  if (fate === 2) drawOften(pen, scene, open, column, y + 44);
}

/**
 * What stands beside a count; the last part only if there is room.
 *
 * @param {Pen} pen @param {FatesScene} scene @param {{ x: number, y: number }} at @param {number} room @param {string[]} parts
 */
function drawBesides(pen, { colour, narrow }, { x, y }, room, parts) {
  const size = narrow ? 14 : 16;
  const whole = parts.join("; ");
  const said = textWidth(whole, size) > room ? parts[0] : whole;
  if (said) pen.text(x, y, said, { key: "besides", size, fill: colour.quiet, room });
}

/**
 * Whether a count is marked: the one that the sentence names, or while a beat speaks of another fate, its count.
 *
 * @param {FatesScene} scene @param {Count} its
 */
function isNamed({ final, dim }, { part, count }) {
  const name = NAMED[Math.round(final("@say"))];
  const faint = dim(name === "n_often" ? "random" : name.replace("n_", ""));
  return faint ? !dim(part) : name === count;
}

/**
 * Whether the counts of the fates are told: once the words are sorted, or all that are chosen are masked.
 *
 * @param {FatesScene} scene
 */
const isOpen = (scene) => !isAsked(scene) && (scene.final("sorted") === 1 || scene.final("corrupt_masked") === 1);

/**
 * How many were expected, and a word with what became of it.
 *
 * @param {FatesScene} scene @param {Words} words @param {Count} count
 */
function besides(scene, words, { expected, fate }) {
  const { text, narrow } = scene;
  if (!expected) return narrow ? [] : [REST];
  return [
    ...(fate < 0 || isOpen(scene) ? [`expected ${text(expected)}`] : []),
    ...(narrow ? [] : exampleOf(scene, words, fate)),
  ];
}

/**
 * A word that met this fate, and what stands in its place; none if the word of the example never did.
 *
 * @param {FatesScene} scene @param {Words} words @param {number} fate
 */
function exampleOf({ data }, { fates, drawn }, fate) {
  const { ids } = drawn;
  const met = fates.findIndex(
    (its, i) => its === fate && ids[i] === data.example && (fate !== 2 || ids[fates.length + i] !== ids[i]),
  );
  if (fate < 1 || met < 0) return [];
  const word = data.types[data.example];
  return [`${word} → ${fate === 1 ? "[MASK]" : fate === 2 ? data.types[ids[fates.length + met]] : word}`];
}

/**
 * How many of the random words are the most frequent one, where words are drawn by their counts.
 *
 * @param {Pen} pen @param {FatesScene} scene @param {boolean} open @param {number} x @param {number} y
 */
function drawOften(pen, { data, text, final, colour, narrow }, open, x, y) {
  if (!data.by_count || narrow || !open) return;
  const label = `now “${data.types[0]}”: `;
  pen.text(x, y, label, { key: "often", size: 16, fill: colour.quiet });
  const named = NAMED[Math.round(final("@say"))] === "n_often";
  const look = { key: "n_often", size: 18, bold: true, fill: colour.gradient };
  pen.markedText(x + textWidth(label, 16) + 6, y, text("n_often"), named, look);
}
