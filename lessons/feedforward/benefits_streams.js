// What two models expect after two texts: streams from the end of each text to the words that may follow, as wide as
// their probabilities. Where counting has never met a text, nothing flows.

/** @import { BenefitPanel } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { BenefitsScene } from "./benefits.js" */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box its left edge, its middle and its size */
/**
 * @typedef {object} Places
 * @property {number} left of the panel
 * @property {number} right
 * @property {number} top
 * @property {number} foot
 * @property {Box[]} texts
 * @property {Box[]} words
 * @property {number} size of the letters
 */

/** Of each text, by its place: cat and dog keep their colours on both sides. */
const ROLES = ["input", "activation"];

/** @param {Pen} pen @param {BenefitsScene} scene */
export function drawStreams(pen, scene) {
  scene.data.panels.forEach((panel, i) => {
    const at = placesOf(scene, i);
    pen.group({ key: panel.key }, (its) => {
      its.rect(at.left, at.top, at.right - at.left, at.foot - at.top, { r: 12, stroke: scene.colour.line, line: 1.5 });
      const title = /** @type {const} */ ({ size: at.size * 1.05, bold: true, anchor: "middle" });
      its.text((at.left + at.right) / 2, at.top + at.size * 1.5, panel.title, title);
      scene.data.ends.forEach((_, text) => drawBands(its, scene, panel, at, text));
      scene.data.ends.forEach((end, text) => drawText(its, scene, panel, at, text, end));
      scene.data.words.forEach((_, word) => drawWord(its, scene, panel, at, word));
      if (panel.key === "net") drawPair(its, scene, at);
    });
  });
}

/** @param {BenefitsScene} scene @param {number} i @returns {Places} */
function placesOf({ width, height, narrow, data }, i) {
  const [left, right] = narrow ? [4, width - 4] : [4 + i * (width / 2 + 4), width / 2 - 4 + i * (width / 2)];
  const [top, foot] = narrow ? [4 + (i * height) / 2, ((i + 1) * height) / 2 - 4] : [4, height - 8];
  const size = narrow ? 14 : 20;
  const head = top + size * 1.8;
  const y = (/** @type {number} */ share) => head + (foot - head) * share;
  const wide = narrow ? 90 : 140;
  const tall = narrow ? 30 : 62;
  const words = data.words.map((_, k) => ({
    x: right - 14 - (narrow ? 118 : 158),
    y: y((k + 0.5) / data.words.length),
    width: narrow ? 118 : 158,
    height: narrow ? 46 : Math.min(100, (foot - head) / 3 - 14),
  }));
  const texts = data.ends.map((_, k) => ({ x: left + 14, y: y(k ? 0.76 : 0.26), width: wide, height: tall }));
  return { left, right, top, foot, texts, words, size };
}

/**
 * The streams of one text, from the top of its box to the words.
 *
 * @param {Pen} pen @param {BenefitsScene} scene @param {BenefitPanel} panel @param {Places} at @param {number} text
 */
function drawBands(pen, scene, panel, at, text) {
  const { data, values, hidden, colour, narrow } = scene;
  const from = at.texts[text];
  const x = from.x + from.width;
  if (text && panel.never) {
    for (const way of [-0.3, 0, 0.3])
      pen.line(x, from.y + way * from.height, x + (narrow ? 24 : 48), from.y + way * from.height, {
        key: `stub ${way}`,
        stroke: colour.quiet,
        width: 2,
        dash: "6 6",
      });
    return;
  }
  let start = from.y - from.height / 2;
  data.words.forEach((_, word) => {
    const name = nameOf(panel, text, word);
    const thick = values(name) * from.height;
    const to = at.words[word];
    const both = (values(nameOf(panel, 0, word)) + values(nameOf(panel, 1, word))) * from.height;
    const end = to.y - both / 2 + (text ? both - thick : 0);
    const key = `band ${text} ${word}`;
    if (!hidden(name))
      pen.path(band(x, start, to.x, end, thick), {
        key,
        stroke: null,
        fill: colour[ROLES[text]],
        "fill-opacity": text ? 0.5 : 0.3,
      });
    start += thick;
  });
}

/** @param {BenefitPanel} panel @param {number} text @param {number} word */
const nameOf = ({ key }, text, word) => /** @type {`net ${number} ${number}`} */ (`${key} ${text} ${word}`);

/** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {number} thick */
function band(x1, y1, x2, y2, thick) {
  const middle = (x1 + x2) / 2;
  return (
    `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}L${x2} ${y2 + thick}` +
    `C${middle} ${y2 + thick} ${middle} ${y1 + thick} ${x1} ${y1 + thick}Z`
  );
}

/**
 * @param {Pen} pen
 * @param {BenefitsScene} scene
 * @param {BenefitPanel} panel
 * @param {Places} at
 * @param {number} text
 * @param {string} end
 */
function drawText(pen, { colour, narrow }, panel, at, text, end) {
  const { x, y, width, height } = at.texts[text];
  const never = Boolean(text) && panel.never;
  const stroke = never ? colour.quiet : colour[ROLES[text]];
  const look = { r: 10, fill: colour.background, stroke, line: 3, dash: never ? "8 6" : null };
  pen.rect(x, y - height / 2, width, height, look);
  const size = at.size * 1.15;
  pen.text(x + width / 2, y + size * 0.35, end, { size, bold: true, anchor: "middle" });
  if (!never) return;
  const said = narrow ? "never read" : "never read: nothing to count";
  pen.text(x, y + height / 2 + at.size * 1.2, said, {
    key: "never",
    size: Math.max(at.size * 0.85, 13),
    fill: colour.quiet,
  });
}

/**
 * A word that may follow, and its probability after each text.
 *
 * @param {Pen} pen @param {BenefitsScene} scene @param {BenefitPanel} panel @param {Places} at @param {number} word
 */
function drawWord(pen, scene, panel, at, word) {
  const { data, colour, text, narrow } = scene;
  const { x, y, width, height } = at.words[word];
  pen.rect(x, y - height / 2, width, height, { r: 8, fill: colour.background, stroke: colour.line, line: 2 });
  const { size } = at;
  pen.text(x + 10, y - height / 2 + size * 1.2, data.words[word], { size, bold: true });
  const base = y + height / 2 - (narrow ? 7 : 13);
  pen.text(x + 10, base, text(nameOf(panel, 0, word)), { size: size * 0.95, bold: true, fill: colour.input });
  const name = nameOf(panel, 1, word);
  const number = { size: size * (narrow ? 1 : 1.15), bold: true, fill: colour.activation };
  pen.markedText(x + width - 10, base, text(name), name === data.named, { ...number, anchor: "end" });
}

/**
 * Why the network can: the rows of the two words are alike.
 *
 * @param {Pen} pen @param {BenefitsScene} scene @param {Places} at
 */
function drawPair(pen, { text, colour }, { texts: [one, other], size }) {
  const x = one.x + 20;
  const [top, foot] = [one.y + one.height / 2, other.y - other.height / 2];
  pen.line(x, top + 3, x, foot - 3, { key: "pair", stroke: colour.ink, width: 4 });
  const middle = (top + foot) / 2;
  const label = { size: Math.max(size * 0.85, 13), halo: true };
  pen.text(x + 12, middle - 3, "their rows:", { key: "alike", ...label });
  pen.text(x + 12, middle + size, `cosine ${text("pair")}`, { key: "cosine", ...label, bold: true });
}
