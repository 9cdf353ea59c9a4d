// An apple, a paper that is put on it by a press, and a bar for each label that CLIP gives: before as an outline.

import { mainPicture } from "../../drawing/main_picture.js";
import { formatNumber } from "../../drawing/numbers.js";
import { placesOf } from "./paper_places.js";

/** @import { Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { PaperPlaces, PaperScene } from "./paper_places.js" */
/** @typedef {(pen: Pen, scene: PaperScene, at: PaperPlaces) => void} Draw */

const SEEN = 1; // per cent; a shorter outline is not drawn

/** @param {Component<Scripts["paper"]>} component */
export default function paper(component) {
  return mainPicture(component, (pen, /** @type {PaperScene} */ scene) => {
    const at = placesOf(scene);
    pen.part(scene, "apple", (its) => drawThing(its, scene, at));
    pen.part(scene, "bars", (its) => drawBars(its, scene, at));
    pen.text(at.edge, scene.height - 8, scene.data.source, {
      key: "source",
      size: 14,
      fill: scene.colour.quiet,
      room: scene.width - 2 * at.edge,
    });
  });
}

/** @param {"p" | "off" | "on"} kind @param {number} n @returns {NameOf<"paper">} */
const nameOf = (kind, n) => `${kind} ${n}`;

/** @param {PaperScene} scene */
const isOn = ({ final }) => final("paper") > 0.5;

/**
 * The apple and its paper; a press puts the paper on, or takes it off.
 *
 * @type {Draw}
 */
function drawThing(pen, scene, at) {
  const { colour, values, send, data } = scene;
  const on = isOn(scene);
  const { x, y, r } = at.apple;
  const how = on ? "Take the paper off" : "Put the paper on the apple";
  pen.button(
    how,
    () => send({ on: !on }),
    (its) => {
      its.path(appleShape(x, y, r), { fill: colour.activation, "fill-opacity": 0.85, stroke: colour.ink, width: 2 });
      its.path(`M${x} ${y - r * 0.72}q${r * 0.04} ${-r * 0.3} ${r * 0.2} ${-r * 0.42}`, {
        stroke: colour.weight,
        width: Math.max(r * 0.09, 4),
      });
      its.path(
        `M${x + r * 0.1} ${y - r * 0.88}q${r * 0.5} ${-r * 0.5} ${r * 0.7} ${r * 0.02}q${-r * 0.4} ${r * 0.2} ${-r * 0.7} 0z`,
        { fill: colour.activation, stroke: colour.ink, width: 1.5 },
      );
      drawPaper(its, scene, at, data.written, values("paper"));
      const said = { size: at.size, fill: colour.quiet, anchor: /** @type {const} */ ("middle") };
      its.text(at.hint.x, at.hint.y, on ? "Press: take it off" : "Press: put it on", said);
    },
    { key: "thing", chosen: on },
  );
}

/**
 * A round fruit with a dent at its top and at its foot.
 *
 * @param {number} x @param {number} y @param {number} r
 */
function appleShape(x, y, r) {
  const half = (/** @type {number} */ s) =>
    `C${x + s * r * 0.25} ${y - r * 1.02} ${x + s * r * 1.12} ${y - r * 1.05} ${x + s * r} ${y - r * 0.05}` +
    `C${x + s * r * 0.92} ${y + r * 0.75} ${x + s * r * 0.42} ${y + r * 1.12} ${x} ${y + r * 0.88}`;
  return `M${x} ${y - r * 0.7}${half(1)}M${x} ${y - r * 0.7}${half(-1)}`;
}

/**
 * The paper on its way from beside the apple on to it.
 *
 * @param {Pen} pen @param {PaperScene} scene @param {PaperPlaces} at @param {string} written @param {number} share
 */
function drawPaper(pen, { colour }, { apple, aside, paper, narrow }, written, share) {
  const x = aside.x + (apple.x - aside.x) * share;
  const y = aside.y + (apple.y - aside.y) * share;
  const turn = `rotate(${(-6 * share).toFixed(1)} ${x.toFixed(1)} ${y.toFixed(1)})`;
  pen.group({ key: "paper", transform: turn }, (its) => {
    its.rect(x - paper.wide / 2, y - paper.high / 2, paper.wide, paper.high, {
      r: 2,
      fill: colour.background,
      stroke: colour.ink,
      line: 2,
    });
    const look = { size: narrow ? 20 : 36, bold: true, anchor: /** @type {const} */ ("middle") };
    its.text(x, y + look.size * 0.35, written, look);
  });
}

/** @type {Draw} */
function drawBars(pen, scene, at) {
  const { data, narrow, colour } = scene;
  pen.axis("x", at.share, {
    at: at.foot + (narrow ? 16 : 20),
    ticks: narrow ? [0, 50, 100] : [0, 25, 50, 75, 100],
    size: narrow ? 13 : 16,
    lines: [at.top, at.foot],
    title: "share of the answer, %",
    titled: {
      x: at.share(100),
      y: at.foot + (narrow ? 32 : 40),
      size: narrow ? 13 : 16,
      anchor: "end",
      fill: colour.quiet,
    },
  });
  data.labels.forEach((_, n) => drawBar(pen, scene, at, n));
}

/**
 * The bar of a label, with its share; with the paper on the apple, the share before as an outline, and the change.
 *
 * @param {Pen} pen @param {PaperScene} scene @param {PaperPlaces} at @param {number} n
 */
function drawBar(pen, scene, at, n) {
  const { data, colour, values, final, hidden, narrow } = scene;
  const [on, asked] = [isOn(scene), hidden(nameOf("p", n))];
  const [y, high] = [at.y(n), at.high];
  const fill = n === data.seen ? colour.activation : n === data.read ? colour.gradient : colour.quiet;
  const changes = n === data.seen || n === data.read;
  pen.text(at.share(0) - 10, y + high / 2 + at.size * 0.35, data.labels[n], {
    key: `label ${n}`,
    size: at.size,
    bold: changes,
    fill: changes ? fill : colour.quiet,
    anchor: "end",
  });
  const before = at.share(final(nameOf("off", n)));
  const outline = { key: `before ${n}`, r: 2, stroke: fill, line: 2, dash: "5 4" };
  const outlined = on && final(nameOf("off", n)) > SEEN;
  if (outlined) pen.rect(at.share(0), y, before - at.share(0), high, outline);
  const end = asked ? at.share(0) : at.share(values(nameOf("p", n)));
  pen.rect(at.share(0), y, end - at.share(0), high, { key: `bar ${n}`, r: 2, fill });
  const share = asked ? "?" : `${final(nameOf("p", n)).toFixed(1)} %`;
  const most = !asked && n === (on ? data.read : data.seen);
  const number = { key: `share ${n}`, size: changes ? at.size * (narrow ? 1.15 : 1.4) : at.size, bold: changes };
  const beside = Math.max(end, outlined && !changes ? before : 0) + 8;
  pen.markedText(beside, y + high / 2 + number.size * 0.35, share, most, { ...number, fill, halo: !most });
  if (outlined && changes) {
    const was = narrow ? `${final(nameOf("off", n))}` : `${final(nameOf("off", n))} % without`;
    pen.text(before - 8, y + high / 2 + at.size * 0.35, was, { key: `was ${n}`, size: at.size, fill, anchor: "end" });
  }
  if (!on || asked || !changes) return;
  const change = final(n === data.read ? "rise" : "fall");
  const said = `${change > 0 ? "+" : ""}${formatNumber(change)}`;
  const look = { key: `change ${n}`, size: at.size * (narrow ? 1 : 1.4), bold: true, fill };
  pen.text(at.right, y + high / 2 + look.size * 0.35, said, { ...look, anchor: "end" });
}
