// A text and what becomes of each of its words, and under it the two numbers that decide. A share is a
// threshold: while a hand drags one, the picture shows what was decided there.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { fill, formatNumber } from "../../ui/browser/numbers.js";
import { textWidth } from "../../ui/browser/pen.js";
import { chipLines, lanesOf } from "./corruption_places.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["corruption"]} Data */

const DIM = 0.18;
const OUTCOME_ROLES = ["quiet", "weight", "gradient", "activation"];
const FAINT = 0.4; // what is set by hand was not drawn

/** @param {Component<Data>} component */
export default function corruption(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const { width, height, narrow, data } = scene;
    const strip = narrow ? 84 : height < 470 ? 100 : 116;
    const low = { left: narrow ? 10 : 22, right: width - (narrow ? 10 : 22) };
    const shown = data.tokens.map((_, i) => hereOf(scene, i));
    const zone = { left: low.left - 4, right: low.right + 4, top: narrow ? 34 : 46, foot: height - 2 * strip - 10 };
    part(pen, scene, "counts", (its) => counts(its, scene));
    part(pen, scene, "text", (its) => chips(its, scene, shown, zone));
    part(pen, scene, "first", (its) =>
      strips(its, scene, { ...low, top: height - 2 * strip - 4, foot: height - strip - 6 }, 0),
    );
    part(pen, scene, "second", (its) => strips(its, scene, { ...low, top: height - strip, foot: height - 4 }, 1));
  });
}

function part(pen, scene, name, how) {
  pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
}

const outcomeOf = ({ values }, i) => Math.round(values(`f${i}`));

/** @param {Scene<any, any>} scene */
function hereOf(scene, i) {
  const { data, values } = scene;
  const outcome = outcomeOf(scene, i);
  return outcome === 1
    ? "[MASK]"
    : outcome === 2
      ? values("hand")
        ? data.standing[i]
        : data.drawn[i]
      : data.tokens[i];
}

// Words are counted from 1, without [CLS] and [SEP].
const numberOf = ({ data }, place) => Array.from(data.maskable).filter((open, i) => i <= place && open > 0).length;

/** How many words are chosen, and what becomes of them. */
function counts(pen, { values, hidden, colour, narrow, width }) {
  const size = narrow ? 14 : 17;
  const said = [
    ["n_chosen", "predicted", "loss"],
    ["n_masked", "[MASK]", "weight"],
    ["n_random", "random", "gradient"],
    ["n_kept", "kept", "activation"],
    ["n_rest", narrow ? "not" : "not in the loss", "quiet"],
  ];
  let x = narrow ? 8 : 22;
  said.forEach(([name, label, role], n) => {
    const number = hidden(name) ? "?" : String(Math.round(values(name)));
    const wide = textWidth(number, size + 2, true) + 6 + textWidth(label, narrow ? 13 : 15) + (narrow ? 10 : 28);
    if (x + wide > width + 12) return;
    pen.markedText(x, narrow ? 20 : 27, number, n === 0, { key: name, size: size + 2, bold: true, fill: colour[role] });
    pen.text(x + textWidth(number, size + 2, true) + 6, narrow ? 20 : 27, label, {
      key: `of ${name}`,
      size: narrow ? 13 : 15,
      fill: colour[role],
    });
    x += wide;
  });
}

/**
 * The words as the model sees them; pressed again and again, a word is masked, replaced, kept, and left alone.
 *
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 * @param {string[]} shown
 */
function chips(pen, scene, shown, zone) {
  const { data, colour, send } = scene;
  const outcomes = data.tokens.map((_, i) => outcomeOf(scene, i));
  const plan = chipLines(shown, data.tokens, outcomes, zone, textWidth);
  plan.places.forEach(({ x, y, width }, i) => {
    const outcome = outcomes[i];
    const role = colour[OUTCOME_ROLES[outcome]];
    const open = data.maskable[i] > 0;
    const middle = x + width / 2;
    const chip = (its) => {
      its.rect(x, y, width, plan.height, {
        r: 10,
        fill: outcome ? role : colour.background,
        "fill-opacity": outcome ? 0.13 : 1,
        stroke: outcome ? role : colour.line,
        line: outcome ? 2.5 : 1.5,
        dash: outcome === 1 ? "6 4" : null,
      });
      its.text(middle, y + plan.size * (plan.brief ? 1.45 : 1.5), shown[i], {
        size: plan.size,
        bold: true,
        fill: outcome ? role : colour.ink,
        anchor: "middle",
        room: width - 8,
      });
      if (plan.brief) return;
      const was = outcome === 1 || outcome === 2 ? `was ${data.tokens[i]}` : "";
      if (was)
        its.text(middle, y + plan.size * 1.5 + 19, was, {
          key: "was",
          size: 14,
          fill: colour.quiet,
          anchor: "middle",
          room: width - 8,
        });
      const tag = outcome ? data.outcomes[outcome] : open ? "" : "never";
      if (tag)
        its.text(middle, y + plan.height - 8, tag, {
          key: "tag",
          size: 13,
          bold: true,
          fill: role,
          anchor: "middle",
          room: width - 6,
        });
    };
    if (!open) return pen.group({ key: `word${i}` }, chip);
    const name = `Word ${numberOf(scene, i)}, ${data.tokens[i]}: ${data.outcomes[outcome]}${outcome === 2 ? `, shown as ${shown[i]}` : ""}`;
    pen.button(name, () => send({ hand: pressed(scene, i) }), chip, { key: `word${i}`, "data-place": i });
  });
}

/** What is set by hand once this word has been pressed. */
function pressed(scene, place) {
  const { data, values } = scene;
  const parts = [];
  data.tokens.forEach((token, i) => {
    const next = (outcomeOf(scene, i) + (i === place ? 1 : 0)) % 4;
    if (!next) return;
    const other = i === place || !values("hand") ? data.drawn[i] : data.standing[i];
    parts.push(`${numberOf(scene, i)}:${next === 1 ? "[MASK]" : next === 2 ? other : token}`);
  });
  return parts.join(" ");
}

/** A number for each word, from 0 to 1, and the thresholds that decide; a threshold is dragged. */
function strips(pen, scene, { left, right, top, foot }, n) {
  const { data, values, colour, narrow } = scene;
  const hand = values("hand") > 0;
  const numbers = n ? data.way : data.chance;
  const [from, to] = [left + 12, right - 12];
  const x = (value) => from + Math.min(Math.max(value, 0), 1) * (to - from);
  const cuts = n ? [values("masked"), Math.min(values("upto"), 1)] : [values("chosen")];
  const ends = [0, ...cuts, 1];
  const roles = n ? ["weight", "gradient", "activation"] : ["loss", "quiet"];
  const base = foot - 32;
  const title = hand && !n ? data.by_hand[narrow ? 1 : 0] : fill(narrow ? data.brief[n] : data.titles[n], values);
  pen.text(left, top + 14, title, {
    size: narrow ? 13 : 15,
    bold: true,
    fill: n ? colour.ink : colour.loss,
    room: right - left,
  });
  pen.group({ key: "line", opacity: hand ? FAINT : null }, (line) => {
    roles.forEach((role, k) =>
      line.rect(x(ends[k]), base, x(ends[k + 1]) - x(ends[k]), 14, {
        key: `band${k}`,
        r: 0,
        fill: colour[role],
        "fill-opacity": role === "quiet" ? 0.25 : 0.85,
      }),
    );
    for (const value of [0, 0.5, 1])
      line.text(x(value), foot - 3, `${value}`, { size: 13, fill: colour.quiet, anchor: "middle" });
    dots(line, scene, { numbers, x, top: top + 20, base, n, hand });
  });
  cuts.forEach((cut, k) => {
    const at = x(cut);
    pen.group(
      { key: `handle${k}`, "data-n": data.sliders[n + k], "data-per": to - from, "data-way": "x" },
      (handle) => {
        handle.rect(at - 11, top + 20, 22, base - top, { r: 4, fill: colour.background, "fill-opacity": 0.01 });
        handle.line(at, top + 22, at, base + 17, { stroke: colour.ink, width: 2.5 });
        handle.path(`M${at - 12} ${base + 7}l6 -5v10zM${at + 12} ${base + 7}l-6 -5v10z`, {
          stroke: null,
          width: null,
          fill: colour.ink,
        });
      },
    );
  });
}

function dots(pen, scene, { numbers, x, top, base, n, hand }) {
  const { data, colour } = scene;
  const open = Array.from(data.maskable);
  const plan = lanesOf(Array.from(numbers, x), open, base - top - 4);
  plan.lanes.forEach((lane, i) => {
    if (lane < 0) return;
    const outcome = outcomeOf(scene, i);
    const role = n ? OUTCOME_ROLES[outcome] : outcome ? "loss" : "quiet";
    const full = outcome > 0 && !hand;
    const [cx, cy] = [
      x(numbers[i]),
      Math.max(base - 4 - plan.radius - lane * (2 * plan.radius + 2), top + plan.radius),
    ];
    pen.group({ key: `dot${i}`, opacity: n && !outcome && !hand ? 0.35 : null }, (dot) => {
      dot.circle(cx, cy, plan.radius, {
        fill: full ? colour[role] : colour.background,
        stroke: colour[role],
        line: 1.5,
      });
      if (plan.radius >= 9)
        dot.text(cx, cy + 4.5, `${numberOf(scene, i)}`, {
          size: 13,
          fill: full ? colour.background : colour.ink,
          anchor: "middle",
        });
      dot.node("title", {}, `${numberOf(scene, i)} “${data.tokens[i]}”: ${formatNumber(numbers[i])}`);
    });
  });
}
