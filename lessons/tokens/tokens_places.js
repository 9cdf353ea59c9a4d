// Where the trees, the tiles, the level and the panel beside them are drawn.

import { still } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";
import { across, fitUpwards, levelAt, topsAt } from "./tree_places.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Data, Edges, TreeNode } from "./tree_places.js" */

const GLIDE = 260; // duration of a move of the letters, in ms

/**
 * An animated move of the letters: `now` goes from `from` to `to`, since `start` in ms; `key` identifies the target.
 *
 * @typedef {{ shape: string, key: string, now: number[], to: number[], from: number[], start: number }} Gliding
 */
/** @typedef {{ shown?: string, scroll?: number, gliding?: Gliding }} Memory scroll: in units, over this text and room */
/** @typedef {Scene<"tokens", Memory>} TokensScene */
/** @typedef {{ left: number, right: number, top: number, foot: number, low: boolean }} Panel */
/** @typedef {ReturnType<typeof placesOf>} Places */
/** @typedef {(pen: Pen, scene: TokensScene, at: Places, n: number) => void} DrawTrees n: merges that are done */

/**
 * @param {TokensScene} scene
 * @param {number} n merges that are done
 */
export function placesOf(scene, n) {
  const { width, height, narrow, data } = scene;
  const low = height < 460;
  /** @type {Panel | null} */
  const panel = narrow ? null : { left: width - 268, right: width - 20, top: 14, foot: height - 12, low };
  const left = narrow ? 50 : 92;
  const room = (panel ? panel.left - 34 : width - 10) - left;
  const tile = narrow ? { top: 26, height: 50 } : { top: 34, height: low ? 58 : 66 };
  const foot = height - (narrow ? 30 : 14);
  const letter = narrow ? 26 : 32;
  const base = foot - letter;
  const highest = tile.top + tile.height + (narrow ? 22 : 30);
  const up = fitUpwards(data.words, base - highest, narrow ? 26 : 30, narrow ? 44 : 56);
  const last = data.curve.length - 1;
  const y = (/** @type {number} */ rise) => base - rise * up.row;
  const end = (base - (tile.top + tile.height + 14)) / up.row;
  const { size, more, furthest, span } = lettersOf(scene, n, left, room);
  return {
    left,
    room,
    panel,
    tile,
    base,
    foot,
    letter,
    more,
    furthest,
    size,
    up,
    y,
    levelOf: (/** @type {number} */ merges) => y(levelAt(up.knots, merges, last, end)),
    last,
    narrow,
    chip: Math.min(narrow ? 19 : 23, Math.max(up.row * 0.86, 15)),
    span,
    /** @type {(w: number, node: TreeNode) => number} */
    centre: (w, node) => {
      const [a, b] = span(w, node.start, node.end);
      return (a + b) / 2;
    },
    /** @type {(w: number, node: TreeNode) => number} */
    height: (w, node) => y(up.heights[w][node.i]),
  };
}

/**
 * Where the letters are drawn during a move, and scrolled if they do not fit.
 *
 * @param {TokensScene} scene @param {number} n @param {number} left @param {number} room
 */
function lettersOf(scene, n, left, room) {
  const { data, memory } = scene;
  const rows = data.words.map((word) => topsAt(word, n));
  const wide = across(data.words, rows, room, (text, size) => textWidth(text, size, true));
  const [size, ...flat] = glide(scene, [wide.size, ...wide.edges.flat(2)]);
  let place = 0;
  const edges = wide.edges.map((word) => word.map(() => /** @type {Edges} */ ([flat[place++], flat[place++]])));
  const furthest = Math.max(0, wide.width - room);
  const shown = `${sentenceOf(data)} ${room}`;
  if (memory.shown !== shown) {
    memory.shown = shown;
    const named = wide.edges[data.named];
    memory.scroll = (named[0][0] + named[named.length - 1][1] - room) / 2;
  }
  memory.scroll = Math.min(Math.max(memory.scroll ?? 0, 0), furthest);
  const from = left - memory.scroll;
  /** @type {(w: number, start: number, end: number) => Edges} of the letters from `start` to before `end` of word w */
  const span = (w, start, end) => [from + edges[w][start][0], from + edges[w][end - 1][1]];
  return { size, more: wide.width > room + 1, furthest, span };
}

/** @param {Data} data */
const sentenceOf = (data) => data.words.map((word) => word.letters.join("")).join(" ");

/**
 * The current positions of the letters on their way to `target`; without an animation if the width or the words change.
 *
 * @param {TokensScene} scene @param {number[]} target
 */
function glide({ memory, width, data, again }, target) {
  const shape = `${width} ${sentenceOf(data)}`;
  const key = target.join();
  const known = memory.gliding;
  if (!known || known.shape !== shape || known.to.length !== target.length || still()) {
    memory.gliding = { shape, key, now: target, to: target, from: target, start: 0 };
    return target;
  }
  if (known.key !== key) Object.assign(known, { key, from: known.now, to: target, start: performance.now() });
  if (known.now === known.to) return target;
  const part = Math.min((performance.now() - known.start) / GLIDE, 1);
  const eased = 1 - (1 - part) ** 3;
  known.now = part < 1 ? target.map((goal, i) => known.from[i] + (goal - known.from[i]) * eased) : target;
  known.to = target;
  if (part < 1) again();
  return known.now;
}
