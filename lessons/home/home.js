// Home: a prompt, its possible next words side by side on a line of length 1, and a needle that chooses one.

import { mainPicture } from "../../drawing/main_picture.js";
import { cutText, textWidth } from "../../drawing/pen.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @typedef {Scene<"home">} HomeScene */
/** @typedef {ReturnType<typeof placesOf>} Places */
/** @typedef {(pen: Pen, scene: HomeScene, at: Places) => void} Draw */

/** @param {Component<Scripts["home"]>} component */
export default function home(component) {
  return mainPicture(component, drawHome);
}

/**
 * Where the line is drawn.
 *
 * @param {HomeScene} scene
 */
function placesOf({ width, height, narrow }) {
  const left = narrow ? 12 : 24;
  const top = Math.round(height * (narrow ? 0.45 : 0.39));
  return { left, length: width - 2 * left, top, high: Math.round(Math.min(170, height * 0.33)) };
}

/** @param {Pen} pen @param {HomeScene} scene */
function drawHome(pen, scene) {
  const { height, data, values, text, narrow, colour } = scene;
  scene.chooseTexts(Math.min(values("@word"), data.shown));
  const at = placesOf(scene);
  const { left, length, top, high } = at;
  drawSentence(pen, scene, at);
  const said = narrow
    ? "next word: a line of length 1"
    : "what may come next: each word has a part of a line of length 1";
  pen.text(left, top - 14, said, { size: 15, fill: colour.quiet });
  drawParts(pen, scene, at);
  drawNeedle(pen, scene, at);
  const others = `${data.words.length - data.shown} more words share ${text("rest")}`;
  const look = /** @type {const} */ ({ size: 14, fill: colour.quiet, anchor: "end" });
  pen.text(left + length, Math.min(height - 12, top + high + 66), others, look);
}

/**
 * The prompt, the chosen word on the mark, and what the model writes after it.
 *
 * @type {Draw}
 */
function drawSentence(pen, { width, data, narrow, colour, values }, { left, top }) {
  const chosen = values("@word");
  const size = narrow ? 20 : Math.min(34, width / 30);
  const [word, sequel] = [data.words[chosen], data.sequels[chosen]];
  const [step, blank] = [narrow ? 34 : 0, size * 0.65];
  let [x, y] = [left, narrow ? 30 : Math.min(Math.max(48, top * 0.36), 66)];
  pen.text(x, y, data.prompt, { size, bold: true, room: width - 2 * left });
  if (narrow) y += step;
  else x += textWidth(data.prompt, size, true) + blank;
  const shown = cutText(word, width - x - left - 24, size, true);
  const wide = textWidth(shown, size, true);
  pen.mark(x - 9, y - size * 1.08, wide + 18, size * 1.5, { r: 8 });
  pen.text(x, y, shown, { size, bold: true, fill: colour.onMark });
  if (narrow) [x, y] = [left, y + step];
  else x += wide + blank;
  pen.text(x, y, sequel, { size, fill: colour.quiet, room: width - x - left });
}

/**
 * The part of the line of each word; the last part is that of all other words.
 *
 * @type {Draw}
 */
function drawParts(pen, { data, values, text, narrow, colour }, { left, length, top, high }) {
  const chosen = values("@word");
  let start = 0;
  for (let i = 0; i <= data.shown; i++) {
    const rest = i === data.shown;
    const name = rest ? "rest" : /** @type {const} */ (`p${i}`);
    const share = values(name);
    const [x, wide] = [left + start * length, share * length];
    start += share;
    if (wide < 0.2) continue;
    const on = rest ? chosen >= i : chosen === i;
    const gap = Math.min(2, wide / 4);
    const [fill, opacity] = [colour.activation, on ? 1 : rest ? 0.1 : 0.2];
    const look = { key: `part ${i}`, r: Math.min(6, wide / 3), fill, "fill-opacity": opacity };
    pen.rect(x, top, wide - gap, high, look);
    const label = rest ? "other words" : data.words[i];
    const ink = on ? colour.background : colour.activation;
    const middle = x + (wide - gap) / 2;
    const size = (narrow ? [15, 13] : [20, 17, 14]).find((each) => textWidth(label, each, true) + 10 <= wide);
    const said = `${label} ${text(name)}`;
    const stands = textWidth(said, 14, true) + 16 <= high;
    if (size === undefined || (wide <= 56 && stands)) {
      if (wide >= 18) drawUpright(pen, i, stands ? said : label, middle, top + high / 2, ink);
      continue;
    }
    const y = top + high * 0.45;
    pen.text(middle, y, label, { key: `word ${i}`, size, bold: true, anchor: "middle", fill: ink });
    if (wide > 56) pen.text(middle, y + 24, text(name), { key: `p ${i}`, size: 15, anchor: "middle", fill: ink });
  }
}

/**
 * A word in a part that is too narrow for it.
 *
 * @param {Pen} pen
 * @param {number} i
 * @param {string} label
 * @param {number} x
 * @param {number} middle its height
 * @param {string} fill
 */
function drawUpright(pen, i, label, x, middle, fill) {
  const foot = middle + textWidth(label, 14, true) / 2;
  const transform = `translate(${x + 5} ${foot}) rotate(-90)`;
  pen.text(0, 0, label, { key: `word ${i}`, size: 14, bold: true, fill, transform });
}

/**
 * The needle hangs over the line; its handle is below.
 *
 * @type {Draw}
 */
function drawNeedle(pen, { width, values, text, narrow, colour }, { left, length, top, high }) {
  const u = values("u");
  const x = left + u * length;
  const below = top + high;
  pen.group(
    { key: "needle", class: "handle", "data-n": "u", "data-per": length, "data-way": "x", style: "cursor: ew-resize" },
    (its) => {
      its.rect(x - 30, top - 8, 60, high + 56, { fill: "transparent" });
      its.line(x, top - 8, x, top + 12, { width: 3 });
      its.line(x, top + 12, x, below - 12, { width: 1 });
      its.line(x, below - 12, x, below + 10, { width: 3 });
      its.path(`M${x} ${top + 2}l-10 -15h20z`, { fill: colour.ink, stroke: "none" });
      its.rect(x - 26, below + 8, 52, 36, { r: 18, fill: colour.ink });
      its.path(`M${x - 8} ${below + 21}l-6 5l6 5M${x + 8} ${below + 21}l6 5l-6 5`, {
        stroke: colour.background,
        width: 2,
      });
    },
  );
  const right = x + 36 < width - (narrow ? 110 : 260);
  const label = narrow ? `u = ${text("u")}` : `drag the needle: u = ${text("u")}`;
  pen.text(right ? x + 38 : x - 38, below + 32, label, {
    key: "u",
    size: 15,
    bold: true,
    anchor: right ? "start" : "end",
    halo: true,
  });
}
