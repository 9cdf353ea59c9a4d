// A network with a new head: its parts from the bottom up, the vectors that the head reads, and the tokens below.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places } from "./transfer_places.js" */
/** @typedef {Scene<"transfer">} TransferScene */
/** @typedef {(pen: Pen, scene: TransferScene, at: Places) => void} Draw */

/** @param {number} number */
export const whole = (number) => Math.round(number).toLocaleString("en");

/** @type {Draw} */
export function drawNetwork(pen, scene, at) {
  const frozen = Math.round(scene.values("frozen"));
  scene.data.parts.forEach((_, k) => drawPart(pen, scene, at, k, k < frozen));
  drawHead(pen, scene, at);
  if (at.narrow) return;
  drawOldHead(pen, scene, at);
  drawVectors(pen, scene, at);
  drawTokens(pen, scene, at);
}

/**
 * @param {Pen} pen
 * @param {TransferScene} scene
 * @param {Places} at
 * @param {number} k its place, the lowest first
 * @param {boolean} frozen
 */
function drawPart(pen, { data, colour, move }, at, k, frozen) {
  const { name, weights } = data.parts[k];
  const { left, top, wide, high } = at.part(k);
  const tint = frozen ? colour.mask : colour.weight;
  const state = frozen ? "frozen" : "learns";
  const said = `${name}: ${whole(weights)} weights, ${frozen ? "frozen" : "they learn"}.`;
  const offer = `Freeze ${frozen ? "only below" : "up to here"}`;
  /** @param {Pen} its */
  const draw = (its) => {
    its.rect(left, top, wide, high, { r: 6, fill: tint, opacity: frozen ? 0.12 : 0.22 });
    its.rect(left, top, wide, high, { r: 6, stroke: tint, line: frozen ? 1.5 : 2.5, dash: frozen ? "5 4" : null });
    const y = top + high / 2 + 5;
    if (at.narrow) {
      const short = name.replace("block ", "").replace("LSTM layer ", "h");
      its.text(left + wide / 2, y - 7, short, { size: 14, bold: true, anchor: "middle" });
      its.text(left + wide / 2, y + 10, state, { size: 13, anchor: "middle", fill: tint });
      return;
    }
    its.text(left + 12, y, name, { size: 17, bold: true });
    its.text(left + wide - 12, y, state, { size: 16, bold: !frozen, anchor: "end", fill: tint });
    its.text(left + wide - 84, y, whole(weights), { size: 15, anchor: "end", fill: colour.quiet });
  };
  const press = () => move("frozen", frozen ? k : k + 1, true);
  pen.button(`${said} ${offer}`, press, draw, { key: `part ${k}`, chosen: frozen });
}

/**
 * The new head above the parts.
 *
 * @type {Draw}
 */
function drawHead(pen, { colour, data, hidden }, at) {
  const { left, top, wide, high } = at.head;
  pen.rect(left, top, wide, high, { key: "head", r: 6, fill: colour.score, opacity: 0.2 });
  pen.rect(left, top, wide, high, { key: "head line", r: 6, stroke: colour.score, line: 2.5 });
  if (at.narrow) {
    pen.text(left + wide / 2, top + high / 2 - 2, "head", { size: 14, bold: true, anchor: "middle" });
    pen.text(left + wide / 2, top + high / 2 + 15, "new", { size: 13, anchor: "middle", fill: colour.score });
    return;
  }
  const title = `new head, ${hidden("learn") ? "?" : whole(data.head)} weights`;
  pen.text(left + 10, top + 20, title, { size: 15, bold: true, fill: colour.score, room: wide - 16 });
  pen.text(left + 10, top + 40, data.labels.join(" · "), { size: 15, room: wide - 16 });
}

/**
 * The head of the pre-training, crossed out.
 *
 * @type {Draw}
 */
function drawOldHead(pen, { colour, data }, { gone }) {
  if (!gone) return;
  const { left, top, wide, high } = gone;
  const look = /** @type {const} */ ({ size: 14, anchor: "middle", fill: colour.quiet, room: wide - 8 });
  pen.rect(left, top, wide, high, { key: "gone", r: 6, stroke: colour.mask, line: 1.5, dash: "3 4" });
  pen.text(left + wide / 2, top + 20, "left out:", look);
  pen.text(left + wide / 2, top + 39, data.lost, look);
  const strike = { key: "struck", stroke: colour.quiet, width: 1.5, opacity: 0.6 };
  pen.line(left + 6, top + high - 6, left + wide - 6, top + 6, strike);
}

/**
 * One vector per token above the last block; those that the head reads are filled.
 *
 * @type {Draw}
 */
function drawVectors(pen, { colour, data }, at) {
  const { left, top, wide, high } = at.head;
  const [x, y] = [at.column(data.tokens.length, slanted(data)), at.vectors];
  data.tokens.forEach((_, i) => {
    const read = data.read.includes(i);
    const end = Math.min(Math.max(x(i), left + 14), left + wide - 14);
    if (read) pen.line(x(i), y - 6, end, top + high, { key: `read ${i}`, stroke: colour.score, width: 2 });
    const look = read ? { fill: colour.score, stroke: colour.score } : { fill: "none", stroke: colour.quiet };
    pen.circle(x(i), y, read ? 6 : 4, { key: `z ${i}`, ...look, line: 1.5 });
  });
}

/** @param {{ tokens: readonly string[] }} data many tokens are slanted */
const slanted = ({ tokens }) => tokens.length > 11;

/** @type {Draw} */
function drawTokens(pen, { colour, data }, at) {
  const x = at.column(data.tokens.length, slanted(data));
  data.tokens.forEach((token, i) => {
    const read = data.read.includes(i);
    const look = { key: `token ${i}`, size: 14, bold: read, fill: read ? colour.score : colour.ink };
    const y = at.words + (slanted(data) ? 4 : 12);
    if (slanted(data)) pen.text(x(i), y, token, { ...look, anchor: "end", transform: `rotate(-50 ${x(i)} ${y})` });
    else pen.text(x(i), y, token, { ...look, anchor: "middle" });
  });
}
