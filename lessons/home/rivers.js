// The timeline as rivers: language models and vectors of words, which one network joins, and attention.

import { scaleLog } from "../../drawing/d3.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Component, MarkPayload, RiverPayload, Scripts } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen, Point } from "../../drawing/pen.js" */
/** @typedef {Scene<"rivers">} RiversScene */
/** @typedef {ReturnType<typeof placesOf>} Places */
/** @typedef {(pen: Pen, scene: RiversScene, at: Places) => void} Draw */

/** The colour of a history, and its place across the stage: as a share of the height, and on a phone from the left. */
const LOOK = /** @type {const} */ ({
  "language models": { role: "series-2", lane: 0.24, narrow: 22 },
  both: { role: "series-6", lane: 0.46, narrow: 58 },
  "vector semantics": { role: "series-4", lane: 0.68, narrow: 94 },
  attention: { role: "series-1", lane: 0.9, narrow: 130 },
});
const MOST_LEVELS = 5; // of labels above each other
const AFTER = 3; // years from the last event to the year from which the logarithmic axis counts back

/** @param {Component<Scripts["rivers"]>} component */
export default function rivers(component) {
  return mainPicture(component, (pen, /** @type {RiversScene} */ scene) => {
    scene.chooseTexts(scene.values("@say"));
    const at = placesOf(scene);
    at.rivers.forEach((river) => drawRiver(pen, scene, at, river));
    drawNames(pen, scene, at);
    drawMarks(pen, scene, at);
    if (!scene.narrow) drawAxis(pen, scene, at);
  });
}

/** @param {string} kind */
const lookOf = (kind) => LOOK[/** @type {keyof typeof LOOK} */ (kind)];

/**
 * Where everything stands. Wide, time runs to the right, on a logarithmic scale of years ago; narrow, it runs down,
 * an event a line. Attention is drawn from its first year on.
 *
 * @param {RiversScene} scene
 */
function placesOf({ data, width, height, narrow, values }) {
  const first = data.marks.find((each) => each.kind === "attention");
  const later = first && values("year") >= first.year;
  const shown = data.marks.flatMap((each, i) => (later || each.kind !== "attention" ? [i] : []));
  const rivers = data.rivers.filter((each) => later || each.kind !== "attention");
  const end = data.marks[data.marks.length - 1].year + AFTER;
  const scale = scaleLog([end - data.marks[0].year, AFTER], [70, width - 70]);
  const [top, line] = [64, (height - 84) / (shown.length - 1)];
  /** Where a mark is along time. @param {number} i */
  const along = (i) => (narrow ? top + shown.indexOf(i) * line : scale(end - data.marks[i].year));
  /** Where a history is across time. @param {string} kind */
  const across = (kind) => (narrow ? lookOf(kind).narrow : lookOf(kind).lane * (height - 30));
  /** @type {(along: number, across: number) => Point} */
  const point = (x, y) => (narrow ? [y, x] : [x, y]);
  const size = narrow ? 14 : Math.min(Math.max(width / 72, 17), 24);
  const attention = first ? along(data.marks.indexOf(first)) : 0;
  return { shown, rivers, attention, along, across, point, scale, end, size };
}

/**
 * A river: broad up to where it joins another, and thin after that if it goes on.
 *
 * @param {Pen} pen @param {RiversScene} scene @param {Places} at @param {RiverPayload} river
 */
function drawRiver(pen, { colour, data, narrow, width, height }, at, { kind, joins }) {
  const { along, across, point } = at;
  const its = at.shown.filter((i) => data.marks[i].kind === kind).map(along);
  const [broad, thin] = narrow ? [14, 5] : [30, 10];
  const look = { stroke: colour[lookOf(kind).role], width: broad };
  const own = across(kind);
  pen.group({ key: `river ${kind}`, opacity: 0.32 }, (river) => {
    if (joins === null) {
      const ends = narrow ? height - 12 : width - 16;
      return void river.path(pathOf([point(its[0], own), point(ends, own)]), { ...look, width: broad * 1.4 });
    }
    const to = along(joins);
    const before = Math.max(...its.filter((each) => each < to));
    const bends = Math.max(before + 8, to - (narrow ? 44 : 110));
    const begins = pathOf([point(its[0] - (narrow ? 10 : 36), own), point(bends, own)]);
    river.path(`${begins}${bend(point, [bends, own], [to, across(data.marks[joins].kind)])}`, look);
    const last = its[its.length - 1];
    if (last <= to) return;
    river.path(pathOf([point(bends - 1, own), point(last + (narrow ? 8 : 26), own)]), { ...look, width: thin });
  });
}

/** @param {readonly Point[]} points */
const pathOf = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${x} ${y}`).join("");

/**
 * From one lane to another, along time at both ends.
 *
 * @param {(along: number, across: number) => Point} point @param {Point} from @param {Point} to
 */
function bend(point, [from, lane], [to, other]) {
  const middle = (from + to) / 2;
  const [a, b, c] = [point(middle, lane), point(middle, other), point(to, other)];
  return `C${a.join(" ")} ${b.join(" ")} ${c.join(" ")}`;
}

/**
 * The name of each history.
 *
 * @type {Draw}
 */
function drawNames(pen, scene, at) {
  const { colour, narrow, width } = scene;
  let x = 8;
  let y = 18;
  for (const { kind, name } of at.rivers) {
    const fill = colour[lookOf(kind).role];
    const look = { key: `name ${kind}`, bold: true, fill };
    if (!narrow) {
      const [left, top, anchor] = wideName(kind, at, width);
      pen.text(left, top, name, { ...look, size: at.size * 1.4, anchor });
      continue;
    }
    const wide = textWidth(name, 14, true);
    if (x + wide > width - 8) [x, y] = [8, y + 20];
    pen.text(x, y, name, { ...look, size: 14 });
    x += wide + 16;
  }
}

/** @param {string} kind @param {Places} at @param {number} width @returns {[number, number, "start" | "end"]} */
function wideName(kind, at, width) {
  const { attention } = at;
  const y = at.across(kind);
  if (kind === "both") return [width - 16, y + 30 + at.size * 1.8, "end"];
  if (kind === "attention") return [attention - 50, y + 8, "end"];
  return [24, kind === "language models" ? y - 38 - at.size * 1.7 : y + 42 + at.size * 2.4, "start"];
}

/**
 * The marks, each with its label; that of the chosen year is large. A press chooses the year.
 *
 * @type {Draw}
 */
function drawMarks(pen, scene, at) {
  const { colour, data, narrow, values, move } = scene;
  const labels = narrow ? besideMarks(scene, at) : aroundMarks(scene, at);
  const chosen = at.shown.filter((i) => data.marks[i].year === values("year"));
  for (const i of at.shown) {
    const mark = data.marks[i];
    const [x, y] = at.point(at.along(i), at.across(mark.kind));
    const lit = chosen.includes(i);
    const stroke = colour[lookOf(mark.kind).role];
    const { left, foot, wide } = labels[i];
    pen.button(
      `${mark.label} ${mark.year}`,
      () => move("year", mark.year, true),
      (its) => {
        its.rect(left - 4, foot - at.size - 3, wide + 8, at.size + 10, { fill: "transparent" });
        if (!narrow) its.line(x, y, x, foot < y ? foot + 6 : foot - at.size + 2, { stroke, width: 2 });
        const r = (narrow ? 6 : 9) * (lit ? 1.45 : 1);
        its.circle(x, y, r, { fill: lit ? stroke : colour.background, stroke, line: narrow ? 3 : 4 });
        drawLabel(its, scene, { mark, left, foot, size: at.size, fill: stroke, yellow: i === chosen[0] });
      },
      { key: `mark ${i}`, chosen: lit },
    );
  }
}

/**
 * A label, and its year behind it.
 *
 * @param {Pen} pen @param {RiversScene} scene
 * @param {{ mark: MarkPayload, left: number, foot: number, size: number, fill: string, yellow: boolean }} how
 */
function drawLabel(pen, { colour }, { mark, left, foot, size, fill, yellow }) {
  const look = { size, halo: true };
  pen.text(left, foot, mark.label, { ...look, bold: true, fill });
  const x = left + textWidth(mark.label, size, true) + size * 0.4;
  const plain = yellow ? { size, bold: true } : { ...look, fill: colour.quiet };
  pen.markedText(yellow ? x + 4 : x, foot, String(mark.year), yellow, plain);
}

/**
 * Where a label stands, and where its mark is.
 *
 * @typedef {{ left: number, foot: number, wide: number, x?: number, y?: number }} Label
 */

/** @param {MarkPayload} mark @param {number} size */
const widthOf = (mark, size) => textWidth(`${mark.label} `, size, true) + textWidth(String(mark.year), size, true) + 14;

/**
 * A label a line, right of all rivers.
 *
 * @param {RiversScene} scene @param {Places} at @returns {Record<number, Label>}
 */
function besideMarks({ data }, at) {
  const left = Math.max(...at.rivers.map(({ kind }) => lookOf(kind).narrow)) + 18;
  return Object.fromEntries(
    at.shown.map((i) => [i, { left, foot: at.along(i) + 5, wide: widthOf(data.marks[i], at.size) }]),
  );
}

/**
 * A label above or below its mark: the nearest place where it meets no other label, and no line to one.
 *
 * @param {RiversScene} scene @param {Places} at @returns {Record<number, Label>}
 */
function aroundMarks({ data, width }, at) {
  /** @type {Record<number, Label>} */
  const found = {};
  const names = at.rivers.map(({ kind, name }) => labelOfName(wideName(kind, at, width), name, at.size * 1.4));
  const joins = data.rivers.map((each) => each.joins);
  at.shown.forEach((i) => {
    const mark = data.marks[i];
    const wide = widthOf(mark, at.size);
    const [x, y] = [at.along(i), at.across(mark.kind)];
    const sides = joins.includes(i) ? [1] : mark.kind === "language models" || mark.kind === "both" ? [-1, 1] : [1, -1];
    const behind = at.shown.filter((j) => j > i && data.marks[j].kind === mark.kind).map(at.along);
    const ahead = joins.includes(i) ? [] : behind;
    const lefts = joins.includes(i) ? [x - 8] : [x - wide / 2, x - 8, x - wide + 8];
    for (let level = 0; level <= MOST_LEVELS && !found[i]; level++)
      for (const side of sides)
        for (const left of lefts) {
          const foot = y + side * (34 + level * (at.size + 9)) + (side > 0 ? at.size * 0.7 : 0);
          const label = { left: Math.min(Math.max(left, 8), width - wide - 8), foot, wide, x, y };
          const free =
            level === MOST_LEVELS ||
            (![...Object.values(found), ...names].some((other) => meet(label, other, at.size)) &&
              !ahead.some((other) => isOver(label, other)));
          if (!found[i] && free) found[i] = label;
        }
  });
  return found;
}

/** @param {[number, number, "start" | "end"]} place @param {string} name @param {number} size @returns {Label} */
function labelOfName([x, foot, anchor], name, size) {
  const wide = textWidth(name, size, true);
  return { left: anchor === "end" ? x - wide : x, foot, wide };
}

/** Whether two labels, or a label and the line to another, overlap. @param {Label} a @param {Label} b @param {number} size */
const meet = (a, b, size) =>
  (a.left < b.left + b.wide + 8 && b.left < a.left + a.wide + 8 && Math.abs(a.foot - b.foot) < size + 6) ||
  crosses(a, b, size) ||
  crosses(b, a, size);

/** Whether a label is above or below a point. @param {Label} label @param {number} x */
const isOver = ({ left, wide }, x) => x > left - 6 && x < left + wide + 6;

/** Whether the line from a label to its mark crosses another. @param {Label} a @param {Label} b @param {number} size */
function crosses({ x, y, foot }, b, size) {
  if (x === undefined || y === undefined) return false;
  const [top, bottom] = [Math.min(y, foot), Math.max(y, foot - size)];
  return isOver(b, x) && b.foot > top && b.foot - size < bottom;
}

/**
 * The years along the foot.
 *
 * @type {Draw}
 */
function drawAxis(pen, { colour, data, height, width }, { scale, end }) {
  const ticks = [1920, 1950, 1980, 2000, 2010, 2015, 2020].filter(
    (year) => year > data.marks[0].year && year < end - AFTER,
  );
  pen.line(16, height - 26, width - 16, height - 26, { stroke: colour.line, width: 1 });
  pen.axis("x", (year) => scale(end - year), {
    at: height - 8,
    ticks,
    label: String,
    size: 14,
    lines: [height - 30, height - 22],
    title: "year, on a logarithmic scale of years ago",
    titled: { x: 16, y: height - 34, size: 14, fill: colour.quiet },
  });
}
