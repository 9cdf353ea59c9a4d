// One small Transformer trained with the causal mask and without: both losses, as recorded once and as they come
// in live, and beside them what the two models write.

import { line, scaleLinear, scaleLog } from "../../ui/browser/d3.js";
import { mainPicture } from "../../ui/browser/main_picture.js";
import { formatNumber, raised } from "../../ui/browser/numbers.js";
import { textWidth } from "../../ui/browser/pen.js";
import { OVER, listen } from "../../ui/browser/runs.js";
import { lossEnds, wrapText } from "./unmasked_places.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["unmasked"]} Data */

const DIM = 0.18;
/** @type {WeakMap<object, any>} */
const listeners = new WeakMap();

/** @param {Component<Data>} component */
export default function unmasked(component) {
  const { data, parentElement, setTriggerValue } = component;
  const names = data.runs.map((run) => run.name).join(",");
  let its = listeners.get(parentElement);
  if (its?.names !== names) {
    its?.end?.();
    listeners.set(parentElement, (its = { names, picture: null, end: null, again: null }));
  }
  const stop = mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    its.again = scene.again;
    draw(pen, scene, its.picture?.histories ?? null);
  });
  if (names && !its.picture) {
    its.picture = { data, send: (value) => setTriggerValue("event", value) };
    its.end = listen(its.picture, () => its.again?.());
  }
  return () => {
    stop();
    its.end?.();
    its.picture = its.end = null;
  };
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 * @param {Map<string, any> | null} histories
 */
function draw(pen, scene, histories) {
  const { data, narrow, width, height } = scene;
  const live = histories ? data.runs.map((run) => histories.get(run.name)) : [];
  const rests = live.length > 0 && live.every((each) => ["paused", ...OVER].includes(each.state));
  const tested = data.judged && rests;
  scene.tell(data.runs.length && tested ? 1 : 0);
  const box = narrow
    ? { left: 46, right: width - 10, top: 30, foot: height * 0.56 }
    : { left: 74, right: width * 0.6, top: 34, foot: height - 50 };
  const ends = lossEnds([
    ...data.curves.map(({ losses }) => losses),
    ...live.map(({ evaluations }) => evaluations.map(([, loss]) => loss)),
  ]);
  const scales = {
    x: scaleLinear([0, data.steps], [box.left + 4, box.right - 8]).clamp(true),
    y: scaleLog(ends, [box.foot, box.top]).clamp(true),
  };
  part(pen, scene, "curves", (its) => {
    axes(its, scene, box, scales, ends, data.runs.length > 0 && !tested);
    curves(its, scene, box, scales, live);
  });
  part(pen, scene, "writes", (its) => writes(its, scene, live));
}

function part(pen, scene, name, how) {
  pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
}

function axes(
  pen,
  { data, values, colour, narrow, text },
  { left, right, top, foot },
  { x, y },
  [low, high],
  training,
) {
  const truth = y(values("truth"));
  pen.rect(left, truth, right - left, foot - truth, {
    key: "impossible",
    r: 0,
    fill: colour.gradient,
    "fill-opacity": 0.07,
  });
  for (let power = Math.ceil(Math.log10(low)); 10 ** power <= high; power++) {
    pen.line(left, y(10 ** power), right, y(10 ** power), { key: `grid${power}`, stroke: colour.line, width: 1 });
    pen.text(left - 8, y(10 ** power) + 5, power > -3 ? formatNumber(10 ** power) : `10${raised(power)}`, {
      key: `tick${power}`,
      size: 13,
      fill: colour.quiet,
      anchor: "end",
    });
  }
  pen.line(left, truth, right, truth, { key: "truth", stroke: colour.ink, width: 2, dash: "7 5" });
  const size = narrow ? 13 : 15;
  const number = text("truth");
  pen.markedText(right - 8, truth + 20, number, training, { key: "number", size, bold: true, anchor: "end" });
  const said = narrow ? "the grammar’s own loss" : "only who sees the answer comes below the grammar’s own loss";
  pen.text(right - 16 - textWidth(number, size, true), truth + 20, said, {
    key: "said",
    size: narrow ? 13 : 14,
    anchor: "end",
    room: right - left - 30 - textWidth(number, size, true),
  });
  for (let n = 0; n <= 3; n++) {
    const step = Math.round((data.steps * n) / 3);
    pen.text(x(step), foot + 18, `${step.toLocaleString("en")}`, {
      key: `step${n}`,
      size: 13,
      fill: colour.quiet,
      anchor: n === 3 ? "end" : n ? "middle" : "start",
    });
  }
  pen.text((left + right) / 2, foot + (narrow ? 33 : 38), "training step", {
    size: 13,
    fill: colour.quiet,
    anchor: "middle",
  });
  pen.text(narrow ? 4 : 14, narrow ? 16 : 20, "validation loss, nats per token", {
    size: narrow ? 13 : 15,
    bold: true,
    fill: colour.loss,
  });
}

function curves(pen, scene, box, { x, y }, live) {
  const { data, hidden, text, colour, narrow } = scene;
  const along = line(
    ([step]) => x(step),
    ([, loss]) => y(loss),
  );
  const begun = live.length > 0;
  data.curves.forEach((curve, n) => {
    if (hidden(curve.end)) return;
    const whole = Array.from(curve.steps, (step, i) => /** @type {[number, number]} */ ([step, curve.losses[i]]));
    const points = whole.filter(([step]) => step <= data.steps);
    pen.path(along(points) ?? "", {
      key: `recorded${n}`,
      stroke: colour[curve.role],
      width: begun ? 1.5 : 3.5,
      dash: begun ? "3 5" : n ? null : "9 5",
      "stroke-opacity": begun ? 0.7 : 1,
    });
    const at = data.causal.indexOf(n === 0);
    const now = begun && at >= 0 ? live[at].evaluations.filter(([, loss]) => loss !== null) : [];
    if (now.length) pen.path(along(now) ?? "", { key: `live${n}`, stroke: colour[curve.role], width: 4 });
    const [step, loss] = now.at(-1) ?? (begun ? [0, NaN] : points.at(-1));
    if (!Number.isFinite(loss)) return;
    pen.circle(x(step), y(loss), 6, { key: `end${n}`, fill: colour[curve.role] });
    const rested = !begun || data.judged;
    const number = rested ? text(curve.end) : formatNumber(loss);
    const size = narrow ? 14 : 17;
    const wide = textWidth(curve.label, 15, true) + 9 + textWidth(number, size, true);
    const right = Math.min(Math.max(x(step), box.left + wide + 20), box.right - 6);
    const up = n === 0 ? y(loss) - 14 : Math.min(y(loss) - 14, box.foot - 14);
    pen.markedText(right, up, number, curve.end === "without" && rested, {
      key: `number${n}`,
      size,
      bold: true,
      fill: colour[curve.role],
      anchor: "end",
    });
    pen.text(right - textWidth(number, size, true) - 9, up, curve.label, {
      key: `label${n}`,
      size: 15,
      bold: true,
      fill: colour[curve.role],
      anchor: "end",
      halo: true,
    });
  });
  const said = begun
    ? `dotted: ${data.recorded}`
    : narrow
      ? data.recorded
      : `${data.recorded}. Train both: yours run over these`;
  pen.text(box.left + 10, box.foot - 10, said, {
    key: "recorded",
    size: 13,
    fill: colour.quiet,
    halo: true,
    room: (box.right - box.left) * (narrow ? 0.6 : 0.7),
  });
  if (data.curves.every((curve) => hidden(curve.end)))
    pen.text((box.left + box.right) / 2, (box.top + box.foot) / 2 - 60, "?", {
      key: "asked",
      size: 60,
      bold: true,
      anchor: "middle",
    });
}

/** What each model writes, and how much of it the grammar allows. */
function writes(pen, scene, live) {
  const { data, hidden, text, colour, narrow, width, height } = scene;
  const [left, right] = narrow ? [8, width - 8] : [width * 0.6 + 30, width - 16];
  const [top, foot] = narrow ? [height * 0.56 + 44, height - 6] : [10, height - 12];
  const gap = narrow ? 8 : 14;
  const high = (foot - top - gap) / 2;
  data.curves.forEach((curve, n) => {
    const y = top + n * (high + gap);
    const role = colour[curve.role];
    pen.group({ key: `card${n}` }, (card) => {
      card.rect(left, y, right - left, high, { r: 14, fill: role, "fill-opacity": 0.06, stroke: role, line: 1.5 });
      const at = data.causal.indexOf(n === 0);
      const begun = live.length > 0 && at >= 0;
      const sample = begun && !data.judged ? live[at].samples.at(-1) : null;
      const title = narrow ? curve.label : `${curve.label}, it writes`;
      card.text(left + 14, y + (narrow ? 19 : 26), title, {
        key: "title",
        size: narrow ? 14 : 16,
        bold: true,
        fill: role,
      });
      const asked = hidden(curve.possible);
      const waits = begun && !data.judged;
      const share = waits
        ? `${live[at].step.toLocaleString("en")} steps`
        : `${asked ? "?" : text(curve.possible)} of ${data.written} possible`;
      card.text(right - 14, y + (narrow ? 19 : 26), share, {
        key: "share",
        size: narrow ? 13 : 15,
        bold: true,
        fill: colour.ink,
        anchor: "end",
      });
      const size = narrow ? 13 : 16;
      const lines = [];
      const texts = asked ? ["?"] : sample ? [sample[1]] : waits ? [] : curve.texts;
      for (const each of texts)
        lines.push(
          ...wrapText(each.replace(/^<s>\s*/, "") || data.nothing, right - left - 28, (part) => textWidth(part, size)),
          "",
        );
      const room = Math.max(Math.floor((high - (narrow ? 28 : 40)) / (size + 5)), 0);
      lines
        .slice(0, room)
        .forEach((said, i) =>
          card.text(
            left + 14,
            y + (narrow ? 40 : 54) + i * (size + 5),
            i === room - 1 && lines.length > room && said ? `${said} …` : said,
            { key: `line${i}`, size, fill: colour.ink, room: right - left - 24 },
          ),
        );
    });
  });
}
