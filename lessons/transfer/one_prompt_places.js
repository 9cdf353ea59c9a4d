// Where a prompt is drawn: its words line by line, below them the candidates for the gap, at the right what was recorded.

import { scaleLinear } from "../../drawing/d3.js";
import { flow } from "../../drawing/word_flow.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"one_prompt">} PromptScene */
/** @typedef {ReturnType<typeof placesOf>} PromptPlaces */

export const GAP = "____";
const SPACE = 7;
const UNBROKEN = 24; // from this size on, lines are rather smaller than broken
const SIZES = [42, 36, 30, 26, 24, 22, 20, 18, 16, 15, 14, 13];

/** @param {PromptScene} scene */
export function placesOf(scene) {
  const { data, width, height, narrow } = scene;
  const edge = narrow ? 8 : 20;
  const room = narrow ? width - 2 * edge : width * 0.57 - edge;
  const bars = data.computed ? data.models.length * data.candidates.length : 0;
  const bar = narrow ? 24 : 30;
  const chart = narrow
    ? { left: 44, right: width - 12, top: height * 0.7, foot: height - 40 }
    : { left: width * 0.66, right: width - 24, top: 64, foot: height - 66 };
  const end = narrow ? chart.top - 34 : height;
  const foot = end - 14 - bars * bar - (bars ? (narrow ? 14 : 26) : 0);
  const { size, words, high } = flowOf(scene, { left: edge, top: narrow ? 8 : 16, room, foot });
  return { narrow, edge, room, size, words, high, bar, bars: { top: end - 10 - bars * bar, left: edge }, chart };
}

/**
 * The words of all lines and their size of type: large, if no line has to be broken, else the largest in which they fit.
 *
 * @param {PromptScene} scene @param {{ left: number, top: number, room: number, foot: number }} box
 */
function flowOf({ data }, { left, top, room, foot }) {
  const whole = SIZES.filter((size) => size >= UNBROKEN).map((size) => ({ size, lines: data.lines.length }));
  const tries = [...whole, ...SIZES.map((size) => ({ size, lines: Infinity }))];
  for (const { size, lines } of tries) {
    const found = flowed(data.lines, data.gap, { left, top, room, size });
    const last = size === SIZES[SIZES.length - 1];
    if ((found.foot <= foot && found.lines <= lines) || last) return { size, words: found.words, high: size * 1.3 };
  }
  throw new Error("there is a smallest size");
}

/**
 * The words in lines of at most `room`, with a wider step between the given lines.
 *
 * @param {readonly (readonly string[])[]} lines
 * @param {string} gap the word for the gap
 * @param {{ left: number, top: number, room: number, size: number }} box
 */
export function flowed(lines, gap, { left, top, room, size }) {
  const step = size * 1.4;
  let [y, count] = [top + size, 0];
  const words = lines.flatMap((line, n) => {
    const widths = line.map((word) => (word === gap ? textWidth(GAP, size, true) + 14 : textWidth(word, size, true)));
    const places = flow(widths, { left, y, room, step, space: SPACE });
    const last = places[places.length - 1].line;
    y += last * step + size * (n + 1 < lines.length ? 1.75 : 0.5);
    count += last + 1;
    return line.map((word, i) => {
      const { x, y } = places[i];
      return { word: word === gap ? GAP : word, x, y, wide: widths[i], line: n };
    });
  });
  return { words, foot: y, lines: count };
}

/** @param {PromptScene} scene @param {PromptPlaces["chart"]} chart */
export function scalesOf({ data }, { left, right, top, foot }) {
  const every = data.models.flatMap(({ recorded }) => recorded);
  const low = Math.min(0.5, Math.floor(10 * Math.min(...every.map((each) => each.low))) / 10);
  const most = Math.max(...every.map(({ shots }) => shots));
  return { x: scaleLinear([0, most], [left, right]), y: scaleLinear([low, 1], [foot, top]) };
}
