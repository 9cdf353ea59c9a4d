// The window over the text: one word in its centre, and a pair with each other word in it.

import { cutText, textWidth } from "../../drawing/pen.js";
import { flow } from "./layout.js";
import { fitting } from "./vectors_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { TextWindow } from "../../drawing/types.js" */
/** @import { Places } from "./layout.js" */
/** @import { Draw, VectorsScene } from "./vectors_scene.js" */

/** @typedef {{ sentence: TextWindow, centre: number, inside: (i: number) => boolean }} Window */
/** @typedef {{ x: number, y: number, wide: number, high: number, size: number }} Spot of a word */

const PAIR = 22; // height of a pair's row

/** @type {Draw} */
export function drawWindow(pen, scene, at) {
  const { colour, data, memory } = scene;
  const { left, top, wide, high } = at.text;
  const sentence = data.texts[memory.text];
  if (!sentence) {
    const nothing = `${data.words[data.word]}: no sentence with a second word`;
    pen.text(left, top + 18, nothing, { size: 14, fill: colour.quiet, room: wide });
    return;
  }
  const centre = Math.min(memory.centre ?? sentence.at, sentence.words.length - 1);
  const inside = (/** @type {number} */ i) => i !== centre && Math.abs(i - centre) <= data.window;
  const over = { sentence, centre, inside };
  drawTitle(pen, scene, at);
  turn(pen, scene, at, left + wide);
  const size = at.small ? 14 : 17;
  const rows = flow(sentence.words, wide, size, at.small ? 0 : 2);
  const row = at.small ? 20 : 31;
  const first = top + (at.small ? 20 : 16);
  rows.forEach((word, i) => {
    const [x, y] = [left + word.x, first + word.row * row];
    if (y + row > top + high + 8) return;
    drawWord(pen, scene, over, i, { x, y, wide: word.wide, high: row - 5, size });
  });
  if (at.small) return;
  const below = first + (Math.max(...rows.map((word) => word.row)) + 1) * row + 16;
  if (below + 24 <= top + high) drawPairs(pen, scene, at, over, below);
}

/** @type {Draw} */
function drawTitle(pen, { colour, data }, at) {
  const { left, top, wide } = at.text;
  const titles = [`A window of ±${data.window} words slides over the text`, `A window of ±${data.window} words`];
  const title = at.small ? `Window ±${data.window}` : fitting(titles, wide - 70);
  pen.text(left, at.small ? top + 12 : top, title, { size: at.small ? 13 : 15, bold: true, fill: colour.input });
}

/**
 * A word of the sentence: pressing it, or dragging over it, centres the window on it.
 *
 * @param {Pen} pen @param {VectorsScene} scene @param {Window} over @param {number} i @param {Spot} spot
 */
function drawWord(pen, { colour, memory, again }, { sentence, centre, inside }, i, { x, y, wide, high, size }) {
  const word = sentence.words[i];
  const lit = i === centre || inside(i);
  const put = () => {
    memory.centre = i;
    again();
  };
  const node = pen.button(
    `Put the window on ${word}`,
    put,
    (chip) => {
      const fill = i === centre ? colour.input : lit ? colour.background : "transparent";
      chip.rect(x, y, wide, high, { r: 6, fill, stroke: lit ? colour.input : null, line: 2 });
      chip.text(x + wide / 2, y + high / 2 + size * 0.35, word, {
        size,
        bold: lit,
        anchor: "middle",
        fill: i === centre ? colour.background : lit ? colour.input : colour.quiet,
      });
    },
    { key: `word ${i}`, chosen: i === centre, class: "press grab" },
  );
  node.onpointerenter = (event) => {
    if (event.buttons && memory.centre !== i) put();
  };
  // A touch is captured by the word where it starts: release it, so that other words receive pointerenter.
  node.onpointerdown = (event) => node.releasePointerCapture?.(event.pointerId);
}

/**
 * Each pair of the window, and its count in the whole text.
 *
 * @param {Pen} pen
 * @param {VectorsScene} scene
 * @param {Places} at
 * @param {Window} over
 * @param {number} below where the heading is drawn
 */
function drawPairs(pen, { colour }, at, { sentence, centre, inside }, below) {
  const { left, top, wide, high } = at.text;
  const { words, counts } = sentence;
  const pairs = words.map((context, i) => ({ context, i })).filter(({ i }) => inside(i));
  const heading = `${pairs.length} pairs, and how often the whole text has them:`;
  pen.text(left, below, heading, { size: 14, fill: colour.quiet, room: wide });
  const fits = Math.max(Math.floor((top + high - below - 6) / PAIR), 1);
  const columns = Math.ceil(pairs.length / fits) > 1 ? 2 : 1;
  pairs.slice(0, fits * columns).forEach(({ context, i }, k) => {
    const x = left + (k % columns) * (wide / columns);
    const y = below + 24 + Math.floor(k / columns) * PAIR;
    const count = String(counts[centre * words.length + i]);
    const room = wide / columns - textWidth(count, 15, true) - 22;
    const text = cutText(`${words[centre]} → ${context}`, room, 15);
    pen.text(x, y, text, { key: `pair ${k}`, size: 15, fill: colour.ink });
    const look = { key: `count ${k}`, size: 15, bold: true, fill: colour.activation };
    pen.text(x + textWidth(text, 15) + 8, y, count, look);
  });
}

/**
 * Buttons for the previous and the next sentence.
 *
 * @param {Pen} pen
 * @param {VectorsScene} scene
 * @param {Places} at
 * @param {number} right their right end
 */
function turn(pen, { data, memory, colour, again }, at, right) {
  const count = data.texts.length;
  if (count < 2) return;
  const y = at.text.top + (at.small ? 8 : -5);
  const buttons = /** @type {const} */ ([
    [-1, right - 36, "Sentence before"],
    [1, right - 9, "Next sentence"],
  ]);
  for (const [way, x, label] of buttons) {
    const to = (memory.text + way + count) % count;
    const pressed = () => {
      Object.assign(memory, { text: to, centre: null });
      again();
    };
    const arrow = `M${x - 3 * way} ${y - 5}L${x + 4 * way} ${y}L${x - 3 * way} ${y + 5}z`;
    pen.button(
      label,
      pressed,
      (its) => {
        its.circle(x, y, 10, { fill: colour.background, stroke: colour.input, line: 1.5 });
        its.path(arrow, { fill: colour.input, stroke: "none" });
      },
      { key: label },
    );
  }
}
