// The buttons above the matrices: the sentences, and the parts of a narrow drawing.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { signs } from "../../drawing/signs.js";
import { PAGES } from "./tiny_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box } from "./tiny_places.js" */
/** @import { TinyScene } from "./tiny_scene.js" */

/**
 * The four sentences side by side, each with its loss; a press chooses one.
 *
 * @param {Pen} pen @param {TinyScene} scene
 */
export function drawSentences(pen, scene) {
  let x = 8;
  scene.data.texts.forEach((text, i) => {
    const wide = 1.06 * textWidth(text, 14, i === scene.data.followed) + 76; // bold is wider than measured
    drawSentence(pen, scene, i, { x, y: 5, wide });
    x += wide + 7;
  });
  if (scene.width - x > 200) drawLegend(pen, scene, x + 8);
}

/**
 * The four sentences below one another.
 *
 * @param {Pen} pen @param {TinyScene} scene @param {Box} box
 */
export function drawList(pen, scene, { left, top, wide }) {
  scene.data.texts.forEach((_, i) => drawSentence(pen, scene, i, { x: left, y: top + 32 * i, wide }));
}

/**
 * @param {Pen} pen
 * @param {TinyScene} scene
 * @param {number} i which sentence
 * @param {{ x: number, y: number, wide: number }} where
 */
function drawSentence(pen, { data, colour, values, send }, i, { x, y, wide }) {
  const followed = i === data.followed;
  const line = followed ? { stroke: colour.ink, line: 2 } : { stroke: colour.line, line: 1.2 };
  const end = /** @type {const} */ ({ size: 14, bold: true, fill: colour.loss, anchor: "end" });
  /** @param {Pen} its */
  const draw = (its) => {
    its.rect(x, y, wide, 25, { r: 12, fill: colour.background, ...line });
    its.text(x + 11, y + 17, data.texts[i], { size: 14, bold: followed });
    its.text(x + wide - 11, y + 17, formatNumber(values(`l${i + 1}`)), end);
  };
  const more = { key: `sentence ${i}`, chosen: followed };
  pen.button(`Follow “${data.texts[i]}”`, () => send({ sentence: i }), draw, more);
}

/**
 * The legend of thick frames and colours.
 *
 * @param {Pen} pen @param {TinyScene} scene @param {number} x
 */
function drawLegend(pen, { colour, data }, x) {
  pen.group({ key: "legend" }, (its) => {
    its.rect(x, 10, 20, 15, { r: 5, stroke: colour.weight, line: 1.6 });
    its.text(x + 25, 22, "weight", { size: 13, fill: colour.quiet });
    signs(its, { x: x + 80, y: 22, fills: data.signed[0] });
  });
}

/**
 * The parts of a narrow drawing as tabs.
 *
 * @param {Pen} pen @param {TinyScene} scene
 */
export function drawTabs(pen, scene) {
  const sizes = PAGES.map(({ title }) => textWidth(title, 14, true));
  const more = (scene.width - 12 - sizes.reduce((sum, each) => sum + each, 0)) / PAGES.length;
  let x = 6;
  sizes.forEach((size, n) => {
    drawTab(pen, scene, n, x, size + more);
    x += size + more;
  });
}

/**
 * @param {Pen} pen
 * @param {TinyScene} scene
 * @param {number} n which part
 * @param {number} x
 * @param {number} wide
 */
function drawTab(pen, { colour, memory, again }, n, x, wide) {
  const { title } = PAGES[n];
  const open = n === memory.page;
  const press = () => {
    Object.assign(memory, { page: n, over: null });
    again();
  };
  /** @param {Pen} tab */
  const draw = (tab) => {
    const [fill, stroke] = open ? [colour.ink, colour.ink] : [colour.background, colour.line];
    tab.rect(x + 1, 4, wide - 2, 29, { r: 8, fill, stroke });
    const ink = open ? colour.background : colour.ink;
    tab.text(x + wide / 2, 23, title, { size: 14, bold: open, anchor: "middle", fill: ink });
  };
  pen.button(`Show ${title}`, press, draw, { key: `page ${n}`, chosen: open });
}
