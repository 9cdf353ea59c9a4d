// The texts that models wrote: of one run a card under each of some steps, of several a lane each.

import { formatNumber } from "../../ui/browser/numbers.js";
import { cutText, textWidth } from "../../ui/browser/pen.js";
import { chosenTexts, lossAt, textSteps, wrapped } from "./training_scales.js";

/** @import { Pen } from "../../ui/browser/pen.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */

const CARDS = { wide: 6, narrow: 2 };

/**
 * Cards under their steps; what is recorded stands there until the run has come so far.
 *
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
export function cards(pen, scene, frame, scales, state) {
  const { data, colour, narrow, hidden } = scene;
  const count = narrow ? CARDS.narrow : CARDS.wide;
  const steps = textSteps(state.longest, count);
  const [live] = state.live;
  const told = live ? chosenTexts(live.samples, steps, live.step) : steps.map(() => null);
  const recorded = data.recorded.length
    ? chosenTexts(data.recorded[0].samples, steps, Infinity)
    : steps.map(() => null);
  const shown = steps.map((_, i) =>
    told[i]
      ? { sample: told[i], curve: live, fresh: true }
      : recorded[i] && !hidden("curve")
        ? { sample: recorded[i], curve: data.recorded[0], fresh: false }
        : null,
  );
  const gap = 10;
  const box = narrow
    ? (i) => ({
        left: 6,
        top: frame.below + i * (frame.texts / count),
        width: frame.width - 12,
        height: frame.texts / count - 5,
      })
    : (i) => ({
        left: 16 + i * ((frame.width - 32 + gap) / count),
        top: frame.below,
        width: (frame.width - 32 + gap) / count - gap,
        height: frame.texts,
      });
  const newest = shown.findLastIndex((each) => each?.fresh);
  if (shown.every((each) => !each)) return promise(pen, scene, frame);
  const empty = shown.findLastIndex((each) => each) + 1;
  const why = live ? "" : (data.recorded[0]?.why ?? "");
  if (why && !narrow && !hidden("curve") && empty < count - 1) {
    const { left, top } = box(empty);
    const room = frame.width - left - 20;
    wrapped(why, room, 15, Math.floor(frame.texts / 20), true).forEach((line, k) =>
      pen.text(left + 8, top + 18 + 20 * k, `${line} `, {
        key: `why${k}`,
        size: 15,
        fill: colour.gradient,
        room,
        class: "why",
      }),
    );
  }
  shown.forEach((each, i) => {
    if (!each) return;
    const { left, top, width, height } = box(i);
    const [step, text] = each.sample;
    const loss = lossAt(each.curve, step)?.[1] ?? null;
    const held = scene.memory.held ?? null;
    const looked = held !== null && step <= held && !(shown[i + 1] && shown[i + 1].sample[0] <= held);
    if (!narrow && loss !== null) {
      const [x, y] = [scales.x(step), scales.y(loss)];
      pen.path(`M${x} ${y + 7}V${frame.foot + 24}L${left + width / 2} ${top - 8}V${top}`, {
        key: `lead${i}`,
        stroke: colour.loss,
        width: 1.2,
        "stroke-opacity": 0.55,
      });
      pen.circle(x, y, 5.5, { key: `spot${i}`, fill: colour.background, stroke: colour.loss, line: 2.4 });
    }
    pen.rect(left, top, width, height, {
      key: `card${i}`,
      fill: colour.background,
      stroke: i === newest || looked ? colour.loss : colour.line,
      line: i === newest || looked ? 2.4 : 1.3,
      dash: each.fresh ? null : "5 4",
      r: 8,
    });
    pen.text(left + 10, top + 19, `step ${step.toLocaleString("en")}`, {
      key: `step${i}`,
      size: narrow ? 13 : 14,
      bold: true,
      fill: colour.loss,
    });
    if (loss !== null && !hidden("final"))
      pen.text(left + width - 10, top + 19, formatNumber(Number(loss.toPrecision(3))), {
        key: `loss${i}`,
        size: narrow ? 13 : 14,
        bold: true,
        fill: colour.loss,
        anchor: "end",
      });
    const size = narrow ? 13 : 14;
    const most = Math.max(1, Math.floor((height - (narrow ? 22 : 26)) / 17));
    wrapped(text || "(nothing)", width - 20, size, most).forEach((line, k) => {
      pen.text(left + 10, top + 37 + 17 * k, line, {
        key: `text${i}.${k}`,
        size,
        fill: each.fresh ? colour.ink : colour.quiet,
        room: width - 20,
        class: "written",
      });
    });
  });
}

function promise(pen, { colour, narrow }, frame) {
  const lines = wrapped(
    "What the model writes appears here, each text under the step after which it was written.",
    frame.width - 48,
    15,
    3,
  );
  pen.rect(16, frame.below, frame.width - 32, frame.texts - 6, {
    key: "promise",
    stroke: colour.line,
    dash: "5 4",
    r: 8,
  });
  lines.forEach((line, i) =>
    pen.text(frame.width / 2, frame.below + 30 + 20 * i, line, {
      key: `promise${i}`,
      size: narrow ? 14 : 15,
      fill: colour.quiet,
      anchor: "middle",
    }),
  );
}

/**
 * A lane for each run, the one with the lowest loss first: place, name, loss, and what it wrote last.
 *
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
export function lanes(pen, scene, frame, scales, state, steering) {
  const { colour, narrow, hidden } = scene;
  const asked = hidden("winner") || hidden("final");
  const held = scene.memory.held ?? Infinity;
  const losses = state.lines.map((curve) => lossAt(curve, held)?.[1] ?? Infinity);
  const order = state.lines.map((_, i) => i);
  if (!asked) order.sort((a, b) => losses[a] - losses[b]);
  const row = frame.texts / state.lines.length;
  const size = narrow ? 13 : Math.min(15, row * 0.52);
  order.forEach((i, place) => {
    const curve = state.lines[i];
    const top = frame.below + place * row;
    const base = top + (narrow ? 15 : row / 2 + size * 0.34);
    const first = !asked && place === 0 && Number.isFinite(losses[i]);
    const left = narrow ? 6 : 16;
    pen.line(left, top, frame.width - left, top, { key: `rule${i}`, stroke: colour.line, width: 1 });
    pen.rect(left, top + 4, 5, row - 8, { key: `swatch${i}`, fill: state.role(i), r: 2 });
    const rank = asked ? "" : `${place + 1}.`;
    pen.text(left + 14, base, rank, { key: `rank${i}`, size, fill: colour.quiet });
    pen.text(left + 36, base, curve.label, {
      key: `name${i}`,
      size,
      bold: true,
      fill: state.role(i),
      room: narrow ? 120 : 128,
    });
    const loss = asked ? "?" : Number.isFinite(losses[i]) ? formatNumber(Number(losses[i].toPrecision(4))) : "…";
    const right = narrow ? frame.width - 10 : left + 236;
    pen.markedText(right, base, loss, first, { key: `loss${i}`, size, bold: true, fill: state.role(i), anchor: "end" });
    const signs = narrow ? [] : steering(i);
    signs.forEach(([spoken, sign, press], k) => {
      const x = frame.width - 32 - 30 * k;
      pen.button(
        spoken,
        press,
        (button) => {
          button.rect(x - 12, top + row / 2 - 12, 24, 24, {
            fill: colour.background,
            stroke: colour.quiet,
            line: 1,
            r: 6,
          });
          button.path(sign, {
            fill: colour.ink,
            stroke: "none",
            width: 0,
            transform: `translate(${x} ${top + row / 2})`,
          });
        },
        { key: `steer${i}.${k}` },
      );
    });
    const sample = curve.samples.findLast(([step]) => step <= held);
    if (!sample) return;
    const [step, text] = sample;
    const count = `step ${step.toLocaleString("en")}`;
    if (narrow) {
      if (row < 32) return;
      pen.text(left + 14, base + 16, cutText(text, frame.width - left - 24, 13), {
        key: `text${i}`,
        size: 13,
        fill: colour.quiet,
        class: "written",
      });
      return;
    }
    pen.text(left + 256, base, count, { key: `at${i}`, size: Math.min(14, size), fill: colour.quiet });
    const from = left + 266 + textWidth("step 99,999", 14);
    pen.text(from, base, text, {
      key: `text${i}`,
      size,
      room: frame.width - from - 20 - 30 * signs.length,
      fill: curve.live ? colour.ink : colour.quiet,
      class: "written",
    });
  });
}
