// The mask and the weights under it, side by side, and below them what flows into the chosen word. A painted
// cell turns at once; its weights follow when the server has computed them.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { textWidth } from "../../ui/browser/pen.js";
import { gridPlaces, headLevels, narrowGrid, twoDigits } from "./mask_places.js";
import { keyboard, seenNow, settleHand, stroke } from "./painting.js";

/** @import { Component, MaskPanel, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["masking"]} Data */

const DIM = 0.18;
const PAINT = "Mask to paint: arrow keys move, the space bar shows or hides";

/** @param {Component<Data>} component */
export default function masking(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const { data, memory, narrow } = scene;
    settleHand(memory, data);
    if (memory.asked !== `${data.at} ${data.queries.join(" ")}`)
      Object.assign(memory, { asked: `${data.at} ${data.queries.join(" ")}`, query: data.at });
    scene.tell(4 * memory.query + variant(scene), scene.moved !== null);
    hatch(pen, scene);
    const at = narrow ? narrowGrid(scene.width, scene.height, data) : gridPlaces(scene.width, scene.height, data);
    part(pen, scene, "rows", (its) => labels(its, scene, at));
    if (narrow)
      part(pen, scene, "weights", (its) =>
        grid(
          its,
          scene,
          at,
          { ...data.panels[1], title: `${data.panels[1].title}`, paints: data.panels[0].paints },
          at.grid,
        ),
      );
    else
      data.panels.forEach((panel, n) =>
        part(pen, scene, n ? "weights" : "scores", (its) => grid(its, scene, at, panel, at.grids[n])),
      );
    if (!narrow && !data.compares) part(pen, scene, "weights", (its) => softmaxes(its, scene, at), "softmax");
    part(pen, scene, "sums", (its) => sums(its, scene, at));
    frame(pen, scene, at);
    part(pen, scene, "flow", (its) => flow(its, scene, at));
  });
}

function part(pen, scene, name, how, key = name) {
  pen.group({ key, opacity: scene.dim(name) ? DIM : null }, how);
}

/** What is said of the chosen row: that it is blind, sees what is watched, is cut, or sees everything. */
function variant({ data, values, memory }) {
  const n = memory.query + 1;
  if (values(`sees${n}`) < 0.5) return 0;
  if (data.watched[memory.query].some((watched, j) => watched && values(`m${n}.${j + 1}`) > 0.5)) return 1;
  return values(`cut${n}`) > 0.5 ? 2 : 3;
}

/** The hatching of what is cut. */
function hatch(pen, { colour }) {
  pen.group({ tag: "defs", key: "defs" }, (defs) =>
    defs.group(
      {
        tag: "pattern",
        id: "cut",
        patternUnits: "userSpaceOnUse",
        width: 7,
        height: 7,
        patternTransform: "rotate(45)",
      },
      (tile) => {
        tile.rect(0, 0, 7, 7, { r: 0, fill: colour.mask, "fill-opacity": 0.13 });
        tile.rect(0, 0, 2, 7, { r: 0, fill: colour.mask, "fill-opacity": 0.38 });
      },
    ),
  );
}

function choose({ memory, again, send }, i) {
  memory.query = i;
  again();
  send({ name: "query", value: i + 1 });
}

/** The words that ask, one before each row; pressed, a word is the one that is followed. */
function labels(pen, scene, at) {
  const { data, colour, memory } = scene;
  data.queries.forEach((word, i) => {
    const y = at.top + at.row * (i + 0.5);
    const here = i === memory.query;
    pen.button(
      `Query ${i + 1}: ${word}`,
      () => choose(scene, i),
      (button) => {
        button.rect(at.labels.left, y - at.row / 2 + 1, at.labels.right - at.labels.left, at.row - 2, {
          r: 6,
          fill: here ? colour.query : colour.background,
          "fill-opacity": here ? 0.14 : 1,
        });
        button.text(at.labels.right - 6, y + 5, word, {
          size: at.size,
          bold: here,
          fill: colour.query,
          anchor: "end",
          room: at.labels.right - at.labels.left - 10,
        });
      },
      { key: `query${i}`, chosen: here },
    );
  });
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 * @param {any} at
 * @param {MaskPanel} panel
 * @param {{ left: number, cell: number }} box
 */
function grid(pen, scene, at, panel, box) {
  const { data, colour } = scene;
  const wide = panel.keys.length * box.cell;
  const weights = panel.number !== "s";
  pen.text(box.left, at.title, panel.title, {
    size: 15,
    bold: true,
    fill: weights ? colour.activation : colour.score,
    room: wide + at.over,
  });
  heads(pen, scene, at, panel, box);
  const how = panel.paints
    ? { role: "group", tabindex: 0, "aria-label": PAINT, class: "paint", "data-arrows": "" }
    : {};
  const cells = pen.group({ key: "cells", ...how }, (its) => {
    data.queries.forEach((_, i) => panel.keys.forEach((_, j) => cell(its, scene, at, panel, box, i, j, weights)));
    cursor(its, scene, at, panel, box);
  });
  const place = {
    left: box.left,
    top: at.top,
    cell: box.cell,
    row: at.row,
    rows: data.queries.length,
    columns: panel.keys.length,
  };
  if (panel.paints) {
    stroke(cells, scene, place);
    keyboard(cells, scene, place);
  } else
    cells.onclick = (event) => {
      const i = rowUnder(event, cells, at, data.queries.length);
      if (i !== null) choose(scene, i);
    };
}

function rowUnder(event, node, at, count) {
  const svg = node.ownerSVGElement;
  const box = svg.getBoundingClientRect();
  const y = ((event.clientY - box.top) * svg.viewBox.baseVal.height) / box.height;
  const i = Math.floor((y - at.top) / at.row);
  return i >= 0 && i < count ? i : null;
}

/** The words that are looked at, above the columns; on two levels where they are too wide for one. */
function heads(pen, { data, colour, memory }, at, panel, box) {
  const size = at.size > 14 ? 14 : 13;
  const levels = headLevels(
    panel.keys.map((key) => textWidth(key, size)),
    box.cell,
  );
  panel.keys.forEach((key, j) => {
    const x = box.left + (j + 0.5) * box.cell;
    const up = levels > 1 && j % 2 === 0;
    const y = at.top - 7 - (up ? 17 : 0);
    const later = data.watched[memory.query]?.[j] > 0 && data.panels[1].keys === panel.keys;
    pen.text(x, y, key, {
      size,
      fill: later ? colour.gradient : colour.key,
      anchor: "middle",
      room: levels * box.cell - 6,
    });
    if (up && textWidth(key, size) > box.cell)
      pen.line(x, y + 4, x, at.top - 3, { key: `tick${j}`, stroke: colour.line, width: 1 });
  });
}

function cell(pen, scene, at, panel, box, i, j, weights) {
  const { data, values, before, hidden, colour, memory } = scene;
  const [x, y] = [box.left + j * box.cell, at.top + i * at.row];
  const name = `${panel.number}${i + 1}.${j + 1}`;
  const share = panel.mask === "m" ? seenNow(scene, i, j) : values(`${panel.mask}${i + 1}.${j + 1}`);
  const open = share > 0.5;
  const stale = weights && panel.mask === "m" && memory.touched?.has(i);
  const later = panel.mask === "m" && data.watched[i]?.[j] > 0 && !data.compares;
  const role = weights ? (later ? colour.gradient : colour.activation) : colour.score;
  const [w, h] = [box.cell - 2, at.row - 2];
  pen.group({ key: `c${i}.${j}`, "data-at": `${i} ${j}`, opacity: stale ? 0.35 : null }, (its) => {
    its.rect(x + 1, y + 1, w, h, {
      key: "ground",
      r: 3,
      fill: colour.background,
      stroke: later && open ? colour.gradient : colour.line,
      line: later && open ? 2 : 1,
    });
    if (!open || share < 1)
      its.rect(x + 1, y + 1, w, h, {
        key: "cut",
        r: 3,
        fill: "url(#cut)",
        opacity: Math.min(Math.max(1 - share, 0), 1),
      });
    const asked = hidden(name);
    if (weights && open && !asked) {
      const level = Math.min(Math.max(values(name), 0), 1) * h;
      its.rect(x + 1, y + 1 + h - level, w, level, { key: "level", r: 2, fill: role, "fill-opacity": 0.34 });
      if (before && Math.abs(before(name) - values(name)) > 0.005) {
        const old = Math.min(Math.max(before(name), 0), 1) * h;
        its.rect(x + 2.5, y + 1 + h - old, w - 3, Math.max(old, 1), {
          key: "old",
          r: 2,
          stroke: colour.quiet,
          line: 1,
          dash: "3 3",
        });
      }
    }
    const said = asked
      ? "?"
      : stale && open
        ? "…"
        : open
          ? twoDigits(values(name), w - 4, textWidth, weights)
          : weights
            ? w > 20
              ? "0"
              : ""
            : "−∞";
    if (!said || textWidth(said, 13) > w) return;
    const marked = data.marks[memory.query] === name;
    its.markedText(x + box.cell / 2, y + at.row / 2 + 5, marked ? scene.text(name).slice(0, 6) : said, marked, {
      key: "said",
      size: w > 40 && h > 24 ? 15 : 13,
      bold: marked,
      fill: open ? (weights ? colour.ink : role) : colour.quiet,
      anchor: "middle",
    });
  });
}

/** Where the keyboard paints. */
function cursor(pen, { memory, colour }, at, panel, box) {
  if (!panel.paints || !memory.cursor || !memory.keys) return;
  const [i, j] = memory.cursor;
  pen.rect(box.left + j * box.cell + 2, at.top + i * at.row + 2, box.cell - 4, at.row - 4, {
    key: "cursor",
    r: 3,
    stroke: colour.ink,
    line: 3,
  });
}

/** From each row of scores to its row of weights. */
function softmaxes(pen, { data, colour, memory }, at) {
  const [left, right] = at.between;
  const middle = (left + right) / 2;
  pen.text(middle, at.top - 7, "softmax", { size: 14, fill: colour.activation, anchor: "middle" });
  data.queries.forEach((_, i) => {
    const y = at.top + at.row * (i + 0.5);
    const here = i === memory.query;
    pen.line(left + 4, y, right - 10, y, {
      key: `way${i}`,
      stroke: here ? colour.activation : colour.line,
      width: here ? 2.5 : 1.5,
    });
    if (here) pen.beads(`M${left + 4} ${y}H${right - 10}`, colour.activation, { key: "beads" });
    pen.head(right - 4, y, 0, here ? colour.activation : colour.line, 8);
  });
}

/** At the end of each row its sum, divided between what is watched and the rest, and the watched share. */
function sums(pen, scene, at) {
  const { data, values, hidden, text, colour, memory } = scene;
  const { left, bar, right } = at.sums;
  const cross = data.name === "cross";
  pen.text(
    right,
    at.title,
    at.narrow ? data.shareTitle.split(" ").at(-1 - (data.shareTitle.endsWith("words") ? 1 : 0)) : data.shareTitle,
    {
      size: at.narrow ? 13 : 14,
      bold: true,
      fill: data.compares ? colour.mask : colour.gradient,
      anchor: "end",
      room: right - left + 24,
    },
  );
  data.queries.forEach((_, i) => {
    const y = at.top + at.row * (i + 0.5);
    const name = `${data.share}${i + 1}`;
    const high = Math.min(18, at.row - 6);
    const stale = memory.touched?.has(i);
    pen.group({ key: `sum${i}`, opacity: stale ? 0.35 : null }, (row) => {
      const asked = hidden(name);
      if (bar > 0 && !asked) {
        const watched = values(name);
        const past = data.share === "ahead" ? values(`past${i + 1}`) : values(`sees${i + 1}`) > 0.5 ? 1 - watched : 0;
        row.rect(left, y - high / 2, bar, high, {
          r: 3,
          stroke: colour.quiet,
          line: 1,
          dash: past + watched > 0.5 ? null : "3 3",
        });
        row.rect(left, y - high / 2, past * bar, high, { r: 3, fill: colour.activation, "fill-opacity": 0.75 });
        row.rect(left + past * bar, y - high / 2, watched * bar, high, {
          r: 3,
          fill: data.compares ? "url(#cut)" : colour.gradient,
          stroke: data.compares && watched > 0 ? colour.mask : null,
        });
      }
      const marked = data.marks[memory.query] === name;
      const number = cross
        ? formatNumber(Number((values(`past${i + 1}`) + values(name)).toFixed(4)))
        : asked
          ? "?"
          : marked
            ? text(name)
            : values(name) === 0
              ? "0"
              : values(name).toFixed(2);
      row.markedText(right - 4, y + 5, number, marked, {
        size: 15,
        bold: marked,
        fill: values(name) > 0 && !data.compares ? colour.gradient : colour.ink,
        anchor: "end",
      });
    });
  });
}

/** The row of the chosen query, framed through both grids. */
function frame(pen, { colour, memory }, at) {
  const y = at.top + memory.query * at.row;
  at.grids.forEach(({ left, cell, count }, n) =>
    pen.rect(left - 2, y - 1, count * cell + 4, at.row + 2, {
      key: `frame${n}`,
      r: 6,
      stroke: colour.ink,
      line: 2.5,
      "pointer-events": "none",
    }),
  );
}

// --- what flows into the chosen word -------------------------------------------------------------

function flow(pen, scene, at) {
  const { data, values, hidden, colour, memory } = scene;
  const { left, right, top, bottom } = at.flow;
  const panel = data.panels[1];
  const count = panel.keys.length;
  const step = (right - left) / count;
  const x = (j) => left + (j + 0.5) * step;
  const query = memory.query;
  const to = data.own ? x(query) : (left + right) / 2;
  const high = 26;
  const stale = memory.touched?.has(query);
  const size = step < 50 ? 13 : 15;
  if (!at.narrow) {
    const lines = data.own ? ["what flows into", "the output of"] : ["the decoder’s", "word reads"];
    lines.forEach((line, n) =>
      pen.text(at.labels.left, top + 12 + 17 * n, line, {
        size: 14,
        fill: colour.quiet,
        room: left - at.labels.left - 4,
      }),
    );
    pen.text(at.labels.left, top + 46, `“${data.queries[query]}”`, {
      size: 14,
      bold: true,
      fill: colour.query,
      room: left - at.labels.left - 4,
    });
  }
  panel.keys.forEach((key, j) => {
    const name = `w${query + 1}.${j + 1}`;
    const open = seenNow(scene, query, j) > 0.5;
    const later = data.watched[query][j] > 0 && !data.compares;
    const role = later ? colour.gradient : colour.activation;
    const from = x(j);
    const bend = (top + bottom) / 2;
    const d = `M${from} ${bottom - high}C${from} ${bend} ${to} ${bend} ${to} ${top + high}`;
    const weight = hidden(name) ? 0.1 : values(name);
    if (open) {
      pen.path(d, {
        key: `edge${j}`,
        stroke: role,
        width: 1.5 + 16 * weight,
        "stroke-opacity": stale ? 0.15 : 0.35,
        "stroke-linecap": "round",
      });
      if (!stale && weight > 0.004) pen.beads(d, role, { key: `beads${j}` });
    } else {
      pen.line(from, bottom - high, from, bottom - high - 13, {
        key: `stub${j}`,
        stroke: colour.mask,
        width: 2,
        dash: "3 3",
      });
      pen.path(`M${from - 4} ${bottom - high - 20}l8 8m0 -8l-8 8`, { key: `cross${j}`, stroke: colour.mask, width: 2 });
    }
    const half = Math.min(step / 2 - 3, Math.max(26, textWidth(key, size) / 2 + 10));
    const draw = (its) => {
      its.rect(from - half, bottom - high, 2 * half, high, {
        r: 7,
        fill: open ? colour.background : "url(#cut)",
        stroke: open ? role : colour.mask,
        line: j === query && data.own ? 2.5 : 1.5,
      });
      its.text(from, bottom - high / 2 + 5, key, {
        size,
        bold: j === query && data.own,
        fill: open ? role : colour.quiet,
        anchor: "middle",
        room: 2 * half - 8,
      });
    };
    pen.group({ key: `word${j}` }, draw);
  });
  const word = data.queries[query];
  const half = Math.min(70, Math.max(34, textWidth(word, 15, true) / 2 + 12));
  const middle = Math.min(Math.max(to, left + half), right - half);
  pen.rect(middle - half, top, 2 * half, high, {
    key: "out",
    r: 8,
    fill: colour.background,
    stroke: colour.query,
    line: 2.5,
  });
  pen.text(middle, top + high / 2 + 5, word, {
    key: "asks",
    size: 15,
    bold: true,
    fill: colour.query,
    anchor: "middle",
    room: 2 * half - 10,
  });
}
