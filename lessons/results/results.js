// Published results on two axes, as bars, or task by task: what is chosen has a ring that the slider moves, and an
// arrow to it from what it is compared with.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { textWidth } from "../../ui/browser/pen.js";
import { labelRoom, markPath } from "../shared/labels.js";
import { axisScale, legendRows, rowPlaces, scatterPlaces, staircase } from "./results_places.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Taken } from "../shared/labels.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["results"]} Data */

const DIM = 0.18;
const FAR = 26; // a leg of the arrow that is longer has its number beside it

/** @param {Component<Data>} component */
export default function results(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const { data, memory } = scene;
    if (memory.data !== data) Object.assign(memory, { data, over: null });
    const now = moment(scene);
    scene.tell(now.position, false);
    ({ scatter, bars, tasks })[data.form](pen, scene, now);
  });
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function part(pen, scene, name, how) {
  pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
}

// What the slider has chosen, and how far the ring is on its way there, both as positions from 0.
function moment({ data, values }) {
  const last = data.order.length - 1;
  const exact = Math.min(Math.max(values("place") - 1, 0), last);
  const position = Math.min(Math.max(Math.round(values("@at")), 0), last);
  const chosen = data.form === "tasks" ? data.chosen : data.order[position];
  return { exact, position, chosen, reference: data.reference };
}

const frontierOf = ({ data, hidden }) => (hidden("frontier") ? [] : data.frontier);
const tintOf = (colour, group) => (group < 0 ? colour["series-2"] : colour[`series-${(group % 6) + 1}`]);
const between = (list, exact) => {
  const [before, after] = [list[Math.floor(exact)], list[Math.ceil(exact)]];
  return before + (after - before) * (exact - Math.floor(exact));
};

// A press chooses; a press of what is chosen makes it the one that others are compared with.
function choose(scene, now, place) {
  const { data, move, send } = scene;
  if (place === now.chosen) return send({ reference: place });
  if (data.form === "tasks") return send({ chosen: place });
  return move("place", data.order.indexOf(place) + 1, true);
}

function pressable(pen, scene, now, place, how, more) {
  const { data, memory, again } = scene;
  const name = place === now.chosen ? `Compare others with ${data.labels[place]}` : `Choose ${data.labels[place]}`;
  const node = pen.button(name, () => choose(scene, now, place), how, { ...more, chosen: place === now.chosen });
  const over = (to) => () => {
    if (memory.over === to) return;
    memory.over = to;
    again();
  };
  node.onpointerenter = over(place);
  node.onpointerleave = over(null);
}

// --- axes ------------------------------------------------------------------------------------------

function axes(pen, scene, at, { across, up }) {
  const { colour, data } = scene;
  const { left, top, wide, high } = at.frame;
  const foot = top + high;
  across.ticks.forEach((tick, i) => {
    pen.line(tick.at, top, tick.at, foot, { key: `across ${i}`, stroke: colour.line, width: 1 });
    pen.text(tick.at, foot + 19, tick.text, {
      key: `across text ${i}`,
      size: at.small ? 13 : 15,
      anchor: "middle",
      fill: colour.quiet,
    });
  });
  up?.ticks.forEach((tick, i) => {
    pen.line(left, tick.at, left + wide, tick.at, { key: `up ${i}`, stroke: colour.line, width: 1 });
    pen.text(left - 8, tick.at + 5, tick.text, {
      key: `up text ${i}`,
      size: at.small ? 13 : 15,
      anchor: "end",
      fill: colour.quiet,
    });
  });
  pen.line(left, foot, left + wide, foot, { key: "axis", stroke: colour.quiet, width: 1.5 });
  const size = at.small ? 13 : 16;
  const better = data.form === "scatter" ? (data.xBetter === "low" ? "← better" : "better →") : "";
  pen.text(left, foot + 42, better, { key: "better", size, fill: colour.quiet });
  const room = wide - textWidth(better, size) - 16;
  pen.text(left + wide, foot + 42, data.xLabel + (data.xLog ? ", log scale" : ""), {
    key: "x title",
    size,
    bold: true,
    anchor: "end",
    room,
  });
  const noted = data.note && !at.small;
  pen.text(left + wide, at.foot, noted ? `${data.note}. ${data.source}` : data.source, {
    key: "source",
    size: 13,
    anchor: "end",
    fill: colour.quiet,
    room: left + wide - 8,
  });
}

// --- two numbers of each row -----------------------------------------------------------------------

function scatter(pen, scene, now) {
  const { colour, data, narrow, width, height } = scene;
  const stairs = frontierOf(scene);
  const entries = [
    ...data.familyNames,
    ...(stairs.length ? [narrow ? "frontier" : "frontier: no other is as good in both"] : []),
  ];
  const size = narrow ? 13 : 15;
  const legend = legendRows(entries, width - (narrow ? 16 : 32), size, 20);
  const at = scatterPlaces(
    { width, height, narrow },
    entries.length ? Math.max(...legend.map((its) => its.row)) + 1 : 0,
  );
  const { left, top, wide, high } = at.frame;
  const drawn = data.order;
  const across = axisScale(
    drawn.map((i) => data.xs[i]),
    { log: data.xLog, from: left, to: left + wide, count: narrow ? 4 : 8, room: 0.1 },
  );
  const up = axisScale(
    drawn.map((i) => data.ys[i]),
    { log: data.yLog, from: top + high, to: top, count: narrow ? 5 : 7, room: 0.1 },
  );
  const spot = (i) => [across.place(data.xs[i]), up.place(data.ys[i])];
  axes(pen, scene, at, { across, up });
  pen.text(
    at.legend.left,
    narrow ? 16 : 22,
    `${data.yLabel}${data.yLog ? ", log scale" : ""} ${data.yBetter === "high" ? "↑" : "↓"} better`,
    { size: narrow ? 13 : 16, bold: true, room: at.legend.wide },
  );
  part(pen, scene, "frontier", (its) => frontier(its, scene, at, spot));
  legend.forEach((its, k) => {
    const [x, y] = [at.legend.left + its.x, at.legend.top + 22 * its.row];
    const isFrontier = k >= data.familyNames.length;
    if (isFrontier) pen.line(x, y - 5, x + 14, y - 5, { key: `legend ${k}`, stroke: colour.ink, width: 3 });
    else pen.path(markPath(k, x + 7, y - 5, 6), { key: `legend ${k}`, fill: tintOf(colour, k), stroke: "none" });
    pen.text(x + 20, y, entries[k], {
      key: `legend text ${k}`,
      size,
      bold: true,
      fill: isFrontier ? colour.ink : tintOf(colour, k),
      room: at.legend.wide - its.x - 20,
    });
  });
  const room = labelRoom(at.frame);
  const radius = narrow ? 5 : 8;
  for (const i of drawn) {
    const [x, y] = spot(i);
    room.take([x - radius, y - radius, x + radius, y + radius]);
  }
  if (!narrow) for (const box of lineBoxes(scene, at, now, spot)) room.take(/** @type {Taken} */ (box));
  part(pen, scene, "arrow", (its) => arrow(its, scene, at, now, spot));
  part(pen, scene, "points", (its) => {
    for (const i of drawn) {
      const [x, y] = spot(i);
      pressable(
        its,
        scene,
        now,
        i,
        (mark) => {
          mark.circle(x, y, radius + 8, { fill: "transparent" });
          mark.path(markPath(data.families[i], x, y, radius), {
            fill: tintOf(colour, data.families[i]),
            stroke: colour.background,
            width: 1.5,
          });
        },
        { key: `point ${i}` },
      );
    }
    const places = drawn.map(spot);
    const [x, y] = [0, 1].map((axis) =>
      between(
        places.map((each) => each[axis]),
        now.exact,
      ),
    );
    its.circle(x, y, radius + 6, { key: "ring", stroke: colour.ink, line: 3 });
    const [rx, ry] = spot(now.reference);
    its.circle(rx, ry, radius + 6, { key: "reference", stroke: colour.ink, line: 2, dash: "4 4" });
  });
  labels(pen, scene, at, now, { spot, room, radius });
}

function frontier(pen, scene, at, spot) {
  const { colour, data } = scene;
  if (!frontierOf(scene).length) return;
  const { left, top, wide, high } = at.frame;
  const bottom = data.yBetter === "high" ? top + high : top;
  const end = data.xBetter === "low" ? left + wide : left;
  const stairs = `${staircase(data.frontier.map(spot), bottom)}H${end}`;
  pen.path(`${stairs}V${bottom}z`, { key: "beaten", stroke: "none", fill: colour.ink, "fill-opacity": 0.05 });
  pen.path(stairs, {
    key: "stairs",
    stroke: colour.ink,
    width: 2.5,
    "stroke-opacity": 0.55,
    "stroke-linejoin": "round",
  });
}

// What the lines of the frontier and of the arrow cover, so that names stay beside them.
function lineBoxes(scene, at, now, spot) {
  const corners = frontierOf(scene).map(spot);
  const [first] = corners;
  const boxes = corners.map(([x, y], i) => [x, y - 3, corners[i + 1]?.[0] ?? at.frame.left + at.frame.wide, y + 3]);
  const rises = corners
    .slice(1)
    .map(([x, y], i) => [x - 3, Math.min(y, corners[i][1]), x + 3, Math.max(y, corners[i][1])]);
  if (first) rises.push([first[0] - 3, first[1], first[0] + 3, at.frame.top + at.frame.high]);
  const [[x0, y0], [x1, y1]] = [spot(now.reference), spot(now.chosen)];
  const legs = [
    [Math.min(x0, x1), y0 - 3, Math.max(x0, x1), y0 + 3],
    [x1 - 3, Math.min(y0, y1), x1 + 3, Math.max(y0, y1)],
  ];
  return [...boxes, ...rises, ...legs].map(([left, top, right, foot]) => [
    Math.min(left, right),
    top,
    Math.max(left, right),
    foot,
  ]);
}

// From what is compared with: over to the other cost, then up or down to the other score.
function arrow(pen, scene, at, now, spot) {
  const { colour } = scene;
  const [[x0, y0], [x1, y1]] = [spot(now.reference), spot(now.chosen)];
  if (now.reference === now.chosen) return;
  pen.line(x0, y0, x1, y0, { key: "over", stroke: colour.gradient, width: 3, dash: "7 5" });
  pen.line(x1, y0, x1, y1, { key: "up", stroke: colour.activation, width: 3, dash: "7 5" });
  const short = Math.abs(y1 - y0) < 2 * FAR;
  if (!short) pen.head(x1, y1 + (y1 < y0 ? 1 : -1) * 16, y1 < y0 ? -90 : 90, colour.activation, 11);
}

function labels(pen, scene, at, now, { spot, room, radius }) {
  const { colour, data, text, memory } = scene;
  const names = at.small ? data.shorts : data.labels;
  const put = (x, y, shown, its, key, to = pen) => {
    const where = room.place(x, y, its.r, shown, its);
    if (where)
      to.text(where.x, where.y, shown, {
        key,
        size: its.size,
        bold: its.bold,
        anchor: where.anchor,
        fill: its.fill,
        halo: true,
        "pointer-events": "none",
      });
    return where;
  };
  chosenLabel(pen, scene, at, now, { spot, room, radius, size: at.small ? 15 : 20 });
  if (now.reference !== now.chosen) {
    const [[x0, y0], [x1, y1]] = [spot(now.reference), spot(now.chosen)];
    put(
      x0,
      y0,
      names[now.reference],
      { r: radius + 8, size: at.size, bold: true, fill: colour.ink },
      "name of reference",
    );
    const how = { r: 6, size: at.size + 1, bold: true };
    pen.group({ key: "legs", opacity: scene.dim("arrow") ? DIM : null }, (its) => {
      const over = data.xLog ? `× ${text("ratio")}` : `${text("step")} ${x1 > x0 ? "more" : "less"}`;
      if (Math.abs(x1 - x0) > FAR) put((x0 + x1) / 2, y0, over, { ...how, fill: colour.gradient }, "over", its);
      if (Math.abs(y1 - y0) > FAR / 2)
        put(x1, (y0 + y1) / 2, `${y1 < y0 ? "+" : "−"}${text("gap")}`, { ...how, fill: colour.activation }, "up", its);
    });
  }
  const first = memory.over !== null ? [memory.over] : [];
  const stairs = frontierOf(scene);
  const rest = [...first, ...stairs, ...data.order].filter(
    (i, k, all) => i !== now.chosen && i !== now.reference && all.indexOf(i) === k,
  );
  for (const i of rest) {
    const [x, y] = spot(i);
    const its = {
      r: radius + 2,
      size: at.size,
      bold: i === memory.over || stairs.includes(i),
      fill: tintOf(colour, data.families[i]),
    };
    put(x, y, i === memory.over ? `${names[i]}: ${data.printed[i]}` : names[i], its, `name ${i}`) ??
      put(x, y, data.shorts[i], its, `name ${i}`);
  }
}

function chosenLabel(pen, scene, at, now, { spot, room, radius, size }) {
  const { data } = scene;
  const name = (at.small ? data.shorts : data.labels)[now.chosen];
  const number = data.printed[now.chosen];
  const [x, y] = spot(now.chosen);
  const [text, how] = [`${name}   ${number}00`, { size, bold: true }];
  const where = room.place(x, y, radius + 9, text, how) ?? labelRoom(at.frame).place(x, y, radius + 9, text, how); // over a line, if need be
  if (!where) return;
  const whole = textWidth(name, size, true) + 16 + textWidth(number, size, true) + 6;
  const left = where.anchor === "start" ? where.x : where.anchor === "end" ? where.x - whole : where.x - whole / 2;
  room.take([left - 2, where.y - size, left + whole, where.y + 0.3 * size]);
  pen.text(left, where.y, name, { key: "chosen", size, bold: true, halo: true, "pointer-events": "none" });
  pen.group({ key: "number", "pointer-events": "none" }, (its) =>
    its.markedText(left + whole - 6, where.y, number, true, { size, bold: true, anchor: "end" }),
  );
}

// --- one number of each row ------------------------------------------------------------------------

function bars(pen, scene, now) {
  const { colour, data, narrow, width, height, text } = scene;
  const names = data.order.map((i) => (narrow ? data.shorts : data.labels)[i]);
  const numbers = data.order.map((i) => data.printed[i]);
  const behind = Math.max(...numbers.map((each) => textWidth(each, narrow ? 14 : 17, true))) + 34;
  const legend = legendRows(data.familyNames, width - (narrow ? 16 : 32), narrow ? 13 : 15, 20);
  const at = rowPlaces({ width, height, narrow }, names, {
    legend: legend.length ? 1 + Math.max(...legend.map((its) => its.row)) : 0,
    behind,
  });
  const { left, wide } = at.frame;
  const values = data.order.map((i) => data.xs[i]);
  const across = axisScale(values, {
    log: data.xLog,
    from: left,
    to: left + wide,
    count: narrow ? 4 : 7,
    room: data.xLog ? 0.06 : 0.15,
  });
  axes(pen, scene, at, { across, up: null });
  legend.forEach((its, k) => {
    const [x, y] = [at.legend.left + its.x, at.legend.top + 24 * its.row];
    pen.path(markPath(k, x + 7, y - 5, 6), { key: `legend ${k}`, fill: tintOf(colour, k), stroke: "none" });
    pen.text(x + 20, y, data.familyNames[k], {
      key: `legend text ${k}`,
      size: narrow ? 13 : 15,
      bold: true,
      fill: tintOf(colour, k),
    });
  });
  const place = (i) => across.place(data.xs[i]);
  const row = (i) => at.y(data.order.indexOf(i));
  part(pen, scene, "points", (its) => {
    const y = between(
      data.order.map((_, k) => at.y(k)),
      now.exact,
    );
    its.rect(2, y - at.pitch / 2 + 2, width - 4, at.pitch - 4, {
      key: "band",
      r: 6,
      fill: colour.ink,
      "fill-opacity": 0.07,
    });
    data.order.forEach((i, k) => {
      const tint = tintOf(colour, data.families[i]);
      pressable(
        its,
        scene,
        now,
        i,
        (line) => {
          line.rect(2, at.y(k) - at.pitch / 2, width - 4, at.pitch, { fill: "transparent" });
          line.text(left - 12, at.y(k) + 6, names[k], {
            size: at.size,
            bold: i === now.chosen || i === now.reference,
            anchor: "end",
            room: at.before - 4,
            fill: tint,
          });
          line.line(left, at.y(k), place(i), at.y(k), {
            stroke: tint,
            width: i === now.chosen ? 7 : 4,
            "stroke-opacity": i === now.chosen ? 1 : 0.55,
          });
          line.path(markPath(data.families[i], place(i), at.y(k), at.small ? 7 : 9), {
            fill: tint,
            stroke: colour.background,
            width: 1.5,
          });
          if (i === now.reference)
            line.circle(place(i), at.y(k), at.small ? 12 : 15, { stroke: colour.ink, line: 2, dash: "4 4" });
          line.markedText(place(i) + (at.small ? 14 : 20), at.y(k) + 6, numbers[k], i === now.chosen, {
            size: at.size,
            bold: i === now.chosen,
            halo: i !== now.chosen,
          });
        },
        { key: `row ${i}` },
      );
    });
  });
  if (now.chosen === now.reference) return;
  part(pen, scene, "arrow", (its) => {
    const [x0, x1, y0, y1] = [place(now.reference), place(now.chosen), row(now.reference), row(now.chosen)];
    its.line(x0, y0, x0, y1, { stroke: colour.ink, width: 2, dash: "4 4" });
    its.line(x0, y1, x1, y1, { key: "ratio", stroke: colour.gradient, width: 7 });
    const label = `× ${text("ratio")}`;
    const half = textWidth(label, at.size + 2, true) / 2;
    const middle = Math.min(Math.max((x0 + x1) / 2, left + half), left + wide - half);
    its.text(middle, y1 - (at.small ? 9 : 11), label, {
      size: at.size + 2,
      bold: true,
      anchor: "middle",
      fill: colour.gradient,
      halo: true,
      "pointer-events": "none",
    });
  });
}

// --- the scores of each task -----------------------------------------------------------------------

function tasks(pen, scene, now) {
  const { colour, data, narrow, width, height, hidden } = scene;
  const count = data.labels.length;
  const labelled = narrow ? data.shorts : data.labels;
  const legend = legendRows(labelled, width - (narrow ? 16 : 32), narrow ? 13 : 15, 24);
  const rows = Math.max(...legend.map((its) => its.row)) + 1;
  const at = rowPlaces({ width, height, narrow }, data.tasks, {
    legend: rows + 0.4,
    behind: narrow ? 58 : 92,
    below: data.below,
  });
  const { left, wide } = at.frame;
  const score = (task, i) => data.xs[task * count + i];
  const across = axisScale(Array.from(data.xs), {
    log: false,
    from: left + 8,
    to: left + wide - 8,
    count: narrow ? 4 : 8,
    room: 0.04,
  });
  axes(pen, scene, at, { across, up: null });
  part(pen, scene, "systems", (its) => {
    legend.forEach((entry, i) => {
      const [x, y] = [at.legend.left + entry.x, at.legend.top + 24 * entry.row];
      pressable(
        its,
        scene,
        now,
        i,
        (name) => {
          const [is, other] = [i === now.chosen, i === now.reference];
          if (is || other)
            name.rect(x - 6, y - 17, entry.wide - 8, 23, {
              r: 6,
              stroke: colour.ink,
              line: is ? 2.5 : 1.5,
              dash: other && !is ? "4 4" : null,
              fill: colour.background,
            });
          name.path(markPath(i, x + 9, y - 5, 6), { fill: tintOf(colour, i), stroke: "none" });
          name.text(x + 22, y, labelled[i], { size: narrow ? 13 : 15, bold: true, fill: tintOf(colour, i) });
        },
        { key: `system ${i}` },
      );
    });
  });
  part(pen, scene, "points", (its) => {
    const y = between(
      data.order.map((_, k) => at.y(k)),
      now.exact,
    );
    its.rect(2, y - at.pitch / 2 + 1, width - 4, at.pitch - 2, {
      key: "band",
      r: 6,
      fill: colour.ink,
      "fill-opacity": 0.07,
    });
    data.order.forEach((task, k) =>
      taskRow(its, scene, at, now, {
        task,
        k,
        score: (i) => across.place(score(task, i)),
        count,
        covered: hidden("gap"),
      }),
    );
  });
}

function taskRow(pen, scene, at, now, { task, k, score, count, covered }) {
  const { colour, data, narrow, width, move } = scene;
  const y = at.y(k);
  const here = k === now.position;
  const [to, from] = [score(now.chosen), score(now.reference)];
  const gain = to >= from === (data.xBetter === "high");
  const tint = gain ? colour.activation : colour.gradient;
  const roomy = at.pitch >= 34 && !narrow;
  pen.button(
    `Task ${data.tasks[task]}`,
    () => move("place", k + 1, true),
    (its) => {
      its.rect(2, y - at.pitch / 2, width - 4, at.pitch, { fill: "transparent" });
      its.text(at.frame.left - 14, y + (roomy && data.below[task] ? -1 : 5), data.tasks[task], {
        size: at.size,
        bold: here,
        anchor: "end",
        room: at.before,
      });
      if (roomy && data.below[task])
        its.text(at.frame.left - 14, y + 15, data.below[task], {
          size: 13,
          anchor: "end",
          fill: colour.quiet,
          room: at.before,
        });
      its.line(at.frame.left, y, at.frame.left + at.frame.wide, y, { stroke: colour.line, width: 1 });
      if (to !== from) {
        its.line(from, y, to, y, { stroke: tint, width: here ? 7 : 4, "stroke-opacity": here ? 1 : 0.6 });
      }
      its.text(width - 10, y + 6, covered ? "?" : data.gaps[task], {
        size: at.size,
        bold: here,
        anchor: "end",
        fill: tint,
      });
      for (let i = 0; i < count; i++) {
        const main = i === now.chosen || i === now.reference;
        const r = (i === now.chosen ? 8 : main ? 7 : 5) * (narrow ? 0.75 : 1);
        its.path(markPath(i, score(i), y, r), {
          key: `dot ${i}`,
          fill: tintOf(colour, i),
          stroke: i === now.chosen ? colour.ink : colour.background,
          width: i === now.chosen ? 2 : 1,
          "fill-opacity": main ? 1 : 0.7,
        });
      }
      if (here) numbersOf(its, scene, at, now, { task, y, to, from, count });
    },
    { key: `task ${k}`, chosen: here },
  );
}

// The two scores of the task, each on the far side of its dot, or above it where it would leave the frame.
function numbersOf(pen, scene, at, now, { task, y, to, from, count }) {
  const { colour, data } = scene;
  const size = at.small ? 14 : 17;
  const away = at.small ? 12 : 17;
  const put = (i, x, right, key) => {
    const shown = data.printed[task * count + i];
    const long = textWidth(shown, size, true) + away;
    const fits = right ? x + long < at.frame.left + at.frame.wide + 16 : x - long > at.frame.left - 10;
    const how = { key, size, bold: true, anchor: right === fits ? "start" : "end" };
    const side = fits ? (right ? away : -away) : right ? 10 : -10;
    if (i === now.chosen) pen.markedText(x + side, fits ? y + 6 : y - 12, shown, true, how);
    else pen.text(x + side, fits ? y + 6 : y - 12, shown, { ...how, fill: colour.ink, halo: true });
  };
  put(now.chosen, to, to >= from, "score");
  if (now.chosen !== now.reference) put(now.reference, from, to < from, "other score");
}
