// The strategies on screen: which are lanes and cards, whose first choice the bars show, and how far the texts have
// grown.

import { still } from "../../drawing/main_picture.js";
import { formatNumber } from "../../drawing/numbers.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { StrategyText } from "../../drawing/types.js" */

/**
 * The state that the picture keeps between drawings.
 *
 * @typedef {object} Memory
 * @property {string} texts the texts of the lanes, and the prompt
 * @property {number} start when the texts began to grow, in ms
 * @property {number | null} step the number of tokens chosen with the buttons; null while the texts grow by themselves
 * @property {Partial<Record<string, number>>} page the page on screen of each text that is too long, by strategy
 */
/** @typedef {Scene<"generation", Memory>} StrategiesScene */
/** @typedef {ReturnType<typeof strategiesOf>} Strategies */
/** @typedef {Strategies & { written: number }} Shown `written`: the number of tokens of each text on screen */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/** @typedef {(pen: Pen, scene: StrategiesScene, shown: Shown) => void} Draw */
/** @typedef {(pen: Pen, scene: StrategiesScene, shown: Shown, each: StrategyText, box: Box) => void} DrawStrategy */

const PACE = 130; // ms per token while a text grows
const ROWS_EACH = 3; // sentences of a strategy: at rest, while its slider moves, and if its token is cut

/** @param {StrategiesScene} scene */
export function strategiesOf({ data, moved, values, before }) {
  const { strategies, marked } = data;
  const [lanes, cards] = [strategies.slice(0, data.lanes.length), strategies.slice(data.lanes.length)];
  /**
   * Whether the dragged slider changes a strategy, whose text must then be written anew.
   *
   * @param {StrategyText} each
   */
  const changes = (each) => moved !== null && before !== null && each.takes.some((slider) => slider === moved);
  // The bars show the selected lane, else the lane of the number that the sentence names; while a slider moves, a
  // strategy that it changes.
  const named = data.lane || marked.replace(".total", "");
  const looked = strategies.find((each) => each.name === named) ?? lanes[lanes.length - 1];
  const focus = !moved || changes(looked) ? looked : (strategies.find(changes) ?? looked);
  const first = /** @type {const} */ (`${focus.name}.0`);
  const sentence = changes(focus) ? (values(first) === 0 ? 2 : 1) : 0;
  return {
    lanes,
    cards,
    focus,
    changes,
    row: ROWS_EACH * strategies.indexOf(focus) + sentence, // of the sentence and the formula
    longest: Math.max(0, ...lanes.map((each) => each.chips.length)), // text of a lane, in tokens
    marked: changes(focus) ? first : marked, // the name of the number that the sentence names
  };
}

/**
 * The number of tokens of each text on screen: new texts grow by themselves; the buttons move back and forth.
 *
 * @param {Pen} pen @param {StrategiesScene} scene @param {Strategies} strategies
 */
export function tokensWritten(pen, { data, memory, again }, { lanes, longest }) {
  const texts = lanes.map((each) => each.chips.map((chip) => chip.text).join(" ")).join("\n") + data.prompt;
  const now = performance.now();
  if (memory.texts !== texts) Object.assign(memory, { texts, start: still() ? -Infinity : now, step: null, page: {} });
  const written = memory.step ?? Math.min(longest, Math.floor((now - memory.start) / PACE));
  const figure = /** @type {HTMLElement} */ (pen.parent.closest(".figure"));
  if (memory.step === null && written < longest) {
    figure.dataset.running = "growing"; // tells tests and screen capture that texts grow
    again();
  } else if (figure.dataset.running === "growing") delete figure.dataset.running;
  return written;
}

/**
 * The number of tokens of this text on screen.
 *
 * @param {Shown} shown @param {StrategyText} each
 */
export const tokensOf = ({ written }, each) => Math.min(written, each.chips.length);

/** @param {StrategyText} each */
export const totalOf = (each) => /** @type {const} */ (`${each.name}.total`);

/**
 * log p of a text after its tokens on screen.
 *
 * @param {StrategiesScene} scene @param {Shown} shown @param {StrategyText} each
 */
export function totalText({ hidden, text }, shown, each) {
  if (!each.written) return "";
  if (hidden(totalOf(each))) return "?";
  const count = tokensOf(shown, each);
  if (count === each.chips.length) return text(totalOf(each));
  return count ? formatNumber(each.sums[count - 1]) : "0";
}

/**
 * The row of the token that a strategy begins with, −1 if the token has no row; null if there is no such token, or the
 * row is to be predicted.
 *
 * @param {StrategiesScene} scene @param {Shown} shown @param {StrategyText} each
 */
export function chosenRow({ values, hidden }, { changes }, each) {
  const chosen = /** @type {const} */ (`@${each.name}.chosen`);
  if (hidden(chosen)) return null;
  if (changes(each)) return values(chosen);
  return each.chips.length ? each.first : null;
}
