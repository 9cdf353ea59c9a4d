// How far back trained networks remember: the share recalled correctly over the distance, a point for each
// network, a line for the mean. One panel for each way of training.

import { scaleLinear, scaleLog } from "../../ui/browser/d3.js";
import { mainPicture } from "../../ui/browser/main_picture.js";
import { textWidth, through } from "../../ui/browser/pen.js";
import { apart } from "./vanish_scales.js";

/** @import { Component, RecallPanel, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["recall"]} Data */

/** @param {Component<Data>} component */
export default function recall(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const { width, height, narrow, data } = scene;
    const boxes = narrow
      ? [
          [0, 0.5],
          [0.5, 1],
        ].map(([from, to]) => ({ left: 44, right: width - 84, top: from * height + 24, foot: to * height - 36 }))
      : [
          [0, 0.52],
          [0.52, 1],
        ].map(([from, to]) => ({ left: from * width + 62, right: to * width - 102, top: 48, foot: height - 54 }));
    data.panels.forEach((its, i) =>
      pen.group({ key: `panel${i}` }, (pen) => panel(pen, scene, its, boxes[i], i === 0)),
    );
  });
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 * @param {RecallPanel} its
 */
function panel(pen, { data, colour, narrow, hidden }, its, box, first) {
  const { left, right, top, foot } = box;
  const x = scaleLog([its.ticks[0], its.ticks[its.ticks.length - 1]], [left + 8, right - 8]);
  const y = scaleLinear([0, 1], [foot, top + 6]);
  pen.text(left, top - (narrow ? 8 : 20), its.title, { size: narrow ? 13 : 16, bold: true });
  for (const share of [0, 0.5, 1]) {
    pen.line(left, y(share), right, y(share), { stroke: share ? colour.line : colour.quiet, width: share ? 1 : 2 });
    pen.text(left - 8, y(share) + 5, `${100 * share}%`, { size: 14, fill: colour.quiet, anchor: "end" });
  }
  let free = Infinity; // from the last tick down, one is written where there is room
  for (const tick of [...its.ticks].reverse()) {
    const half = textWidth(`${tick}`, 14) / 2 + 3;
    if (x(tick) + half > free) continue;
    pen.text(x(tick), foot + 18, `${tick}`, { key: `tick${tick}`, size: 14, fill: colour.quiet, anchor: "middle" });
    free = x(tick) - half;
  }
  pen.text((left + right) / 2, foot + (narrow ? 33 : 40), data.xTitle, {
    size: narrow ? 13 : 15,
    fill: colour.quiet,
    anchor: "middle",
  });
  pen.line(left, y(data.chance), right, y(data.chance), { key: "chance", stroke: colour.ink, width: 1.5, dash: "4 4" });
  pen.text(left + 6, y(data.chance) - 6, data.chanceSaid, { size: 14, halo: true });
  if (its.edge) {
    pen.line(x(its.edge), top, x(its.edge), foot, { key: "edge", stroke: colour.quiet, width: 1.5, dash: "4 4" });
    pen.text(x(its.edge) - 6, foot - 8, its.edgeSaid, { size: 13, fill: colour.quiet, anchor: "end", halo: true });
  }
  const ends = apart(
    its.lines.map(({ name, mean }) => y(hidden(name) ? 0.5 : mean[mean.length - 1])),
    narrow ? 32 : 24,
    { top: top + 6, foot },
  );
  its.lines.forEach(({ name, label, role, dash, far, mean, seeds, said }, i) => {
    const shade = colour[role];
    const asked = hidden(name);
    if (!asked) {
      pen.path(through(mean.map((share, n) => [x(far[n]), y(share)])), {
        key: `line-${label}`,
        stroke: shade,
        width: 4,
        dash,
      });
      far.forEach((n, at) =>
        seeds[at].forEach((share, s) =>
          pen.circle(x(n), y(share), narrow ? 3 : 4.5, {
            key: `${label}-${n}-${s}`,
            fill: colour.background,
            stroke: shade,
            line: 2,
          }),
        ),
      );
    }
    const size = narrow ? 13 : 15;
    pen.text(right + 10, ends[i] - (narrow ? 6 : 0), label, { key: `name-${label}`, size, bold: true, fill: shade });
    const place = narrow ? right + 10 : right + 10 + textWidth(label, size, true) + 9;
    pen.markedText(place, ends[i] + (narrow ? 9 : 0), asked ? "?" : said, first && label === data.named, {
      key: `number-${label}`,
      size: narrow ? 14 : 17,
      bold: true,
      fill: shade,
    });
  });
}
