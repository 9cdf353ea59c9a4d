// The open head: its weights between the words, as a map that is shown whole, or near as a window of it.

import { still } from "../../ui/browser/main_picture.js";
import { cutText, textWidth } from "../../ui/browser/pen.js";
import { canvasIn, font } from "../shared/canvas.js";
import { share, VALUES } from "./heads_codes.js";
import { codeAt } from "./heads_state.js";

/** @import { Pen } from "../../ui/browser/pen.js" */

const FADE = 320; // milliseconds
const LABEL = { size: 14, small: 13 };

/** As long as the longest word, within what there is room for. */
export const labelRoom = (tokens, narrow) =>
  Math.min(Math.max(...tokens.map((token) => textWidth(token, LABEL.size)), 24) + 12, narrow ? 70 : 104);

/**
 * @param {Pen} pen
 * @param {any} its
 */
export function drawMap(pen, its) {
  const {
    scene: { colour },
    at: { map, narrow },
  } = its;
  its.shown = {
    rows: its.view.rows.slice(its.first.row, its.first.row + map.shown.rows),
    columns: its.view.columns.slice(its.first.column, its.first.column + map.shown.columns),
  };
  if (!narrow) heading(pen, its);
  weights(pen, its);
  pen.rect(map.left, map.top, map.width, map.height, { stroke: colour.line, line: 1, r: 0 });
  words(pen, its);
  marks(pen, its);
  press(pen, its);
  foot(pen, its);
}

function heading(pen, { scene: { colour }, at: { map }, open }) {
  const x = map.left - 8;
  pen.text(x, 26, `Layer ${open.layer}, head ${open.head}`, { size: 17, bold: true, anchor: "end" });
  pen.text(x, map.top - 25, "attended to →", { size: 14, bold: true, fill: colour.key, anchor: "end" });
  pen.text(x, map.top - 7, "attends ↓", { size: 14, bold: true, fill: colour.query, anchor: "end" });
}

// --- the weights -----------------------------------------------------------------------------------------

// A pixel a cell, stretched without blurring; another head fades in over the one before it.
function weights(pen, its) {
  const {
    scene,
    at: { map },
    codes,
    open,
    stamp,
  } = its;
  const { memory } = scene;
  const place = { key: "map", left: map.left, top: map.top, width: map.width, height: map.height, sharp: its.sharp };
  if (!codes) return canvasIn(pen, { ...place, stamp: null }, () => {});
  const now = `${stamp} ${open.layer}.${open.head} ${Object.values(its.first)} ${Object.values(map.shown)}`;
  if (memory.small?.stamp !== now) {
    const fades = memory.small && memory.small.of === data(its).of && memory.small.open !== open.key && !still();
    memory.old = fades ? memory.small : null;
    memory.since = performance.now();
    memory.small = { stamp: now, of: data(its).of, open: open.key, canvas: stretched(its) };
  }
  const part = memory.old ? Math.min((performance.now() - memory.since) / FADE, 1) : 1;
  if (part < 1) scene.again();
  else memory.old = null;
  canvasIn(pen, { ...place, stamp: `${now} ${part} ${its.query} ${its.focus} ${scene.hidden("weights")}` }, (brush) => {
    brush.imageSmoothingEnabled = false;
    if (memory.old) brush.drawImage(memory.old.canvas, 0, 0, map.width, map.height);
    brush.globalAlpha = part;
    brush.drawImage(memory.small.canvas, 0, 0, map.width, map.height);
    brush.globalAlpha = 1;
    if (Math.min(map.cell.x, map.cell.y) >= 12) lines(brush, its);
    if (map.numbered && part === 1) numbers(brush, its);
  });
}

const data = (its) => its.scene.data;

function stretched({ shown: { rows, columns }, codes, paints, open, scene }) {
  const small = document.createElement("canvas");
  Object.assign(small, { width: columns.length, height: rows.length });
  const brush = small.getContext("2d");
  const image = brush.createImageData(columns.length, rows.length);
  const pixels = new Uint32Array(image.data.buffer);
  const { heads, tokens } = scene.data;
  rows.forEach((i, y) =>
    columns.forEach(
      (j, x) => (pixels[y * columns.length + x] = paints[codeAt(codes, heads, tokens.length, open, i, j)]),
    ),
  );
  brush.putImageData(image, 0, 0);
  return small;
}

function lines(brush, { at: { map }, scene: { colour } }) {
  brush.strokeStyle = colour.background;
  brush.globalAlpha = 0.5;
  brush.lineWidth = 1;
  brush.beginPath();
  for (let n = 1; n < map.shown.columns; n++) {
    brush.moveTo(n * map.cell.x, 0);
    brush.lineTo(n * map.cell.x, map.height);
  }
  for (let n = 1; n < map.shown.rows; n++) {
    brush.moveTo(0, n * map.cell.y);
    brush.lineTo(map.width, n * map.cell.y);
  }
  brush.stroke();
  brush.globalAlpha = 1;
}

// Numbers of what is not faint; that of the followed pair is written above them.
function numbers(brush, its) {
  const {
    scene,
    at: { map },
    shown,
    codes,
    open,
  } = its;
  const { tokens, heads, inks } = scene.data;
  brush.font = font(13);
  brush.textAlign = "center";
  brush.textBaseline = "middle";
  shown.rows.forEach((i, y) =>
    shown.columns.forEach((j, x) => {
      const value = VALUES[codeAt(codes, heads, tokens.length, open, i, j)];
      if (value < Math.max(its.threshold, 0.1) || (i === its.query && j === its.focus)) return;
      brush.fillStyle = inks[Math.round(share(value, its) * (inks.length - 1))];
      brush.fillText(twoDigits(value), (x + 0.5) * map.cell.x, (y + 0.5) * map.cell.y + 0.5);
    }),
  );
}

const twoDigits = (value) => value.toFixed(2).replace(/^0/, "");

// --- words and marks ----------------------------------------------------------------------------------

function words(pen, its) {
  const {
    scene: {
      data: { tokens, special },
      colour,
    },
    at: { map, label },
    shown,
  } = its;
  const size = Math.min(map.cell.x, map.cell.y) >= 19 ? LABEL.size : LABEL.small;
  const named = (place, chosen, role) => ({
    size,
    bold: place === chosen,
    fill: place === chosen ? role : special[place] ? colour.quiet : colour.ink,
    room: label - 10,
  });
  shown.rows.forEach((i, n) => {
    if (!map.labelled && i !== its.query) return;
    pen.text(map.left - 8, map.top + (n + 0.5) * map.cell.y + 4.5, tokens[i], {
      key: `r${i}`,
      anchor: "end",
      ...named(i, its.query, colour.query),
    });
  });
  shown.columns.forEach((j, n) => {
    if (!map.labelled && j !== its.focus) return;
    const [x, y] = [map.left + (n + 0.5) * map.cell.x + 4.5, map.top - 7];
    pen.text(x, y, tokens[j], { key: `c${j}`, transform: `rotate(-90 ${x} ${y})`, ...named(j, its.focus, colour.key) });
  });
}

function marks(pen, its) {
  const {
    scene: { colour, hidden, values },
    at: { map },
    shown,
    point,
  } = its;
  const [row, column] = [shown.rows.indexOf(its.query), shown.columns.indexOf(its.focus)];
  const [wide, high] = [Math.max(map.cell.x, 3), Math.max(map.cell.y, 3)];
  const [x, y] = [map.left + column * map.cell.x, map.top + row * map.cell.y];
  if (column >= 0)
    pen.rect(x - 1, map.top - 1, wide + 2, map.height + 2, { key: "column", stroke: colour.key, line: 2.5, r: 2 });
  if (row >= 0)
    pen.rect(map.left - 2, y - 1.5, map.width + 4, high + 3, {
      key: "row",
      stroke: colour.query,
      line: 3,
      r: 2,
      fill: hidden("weights") ? colour.background : "none",
    });
  if (row >= 0 && hidden("weights"))
    pen.text(map.left + map.width / 2, y + map.cell.y / 2 + 6, "?", {
      key: "asked",
      size: 18,
      bold: true,
      anchor: "middle",
    });
  else if (row >= 0 && column >= 0) {
    if (map.numbered)
      pen.markedText(x + map.cell.x / 2, y + map.cell.y / 2 + 5, twoDigits(values(`w${its.focus}`)), true, {
        key: "number",
        size: 14,
        bold: true,
        anchor: "middle",
      });
    else pen.rect(x - 2, y - 2, wide + 4, high + 4, { key: "cell", stroke: colour.mark, line: 3, r: 2 });
  }
  if (!point || "layer" in point) return;
  const [r, c] = [shown.rows.indexOf(point.query), shown.columns.indexOf(point.key)];
  if (r >= 0 && c >= 0)
    pen.rect(map.left + c * map.cell.x, map.top + r * map.cell.y, wide, high, {
      key: "pointed",
      stroke: colour.ink,
      line: 1.5,
      r: 0,
    });
}

// --- below it: what is pointed at, the scale of colours, and how near it is --------------------------------

function foot(pen, its) {
  const {
    scene: { data, colour, memory, again },
    at: { map, foot: y, narrow, row },
  } = its;
  let right = map.right;
  if (map.large) {
    const text = map.near ? "Show all" : "Zoom in";
    const wide = textWidth(text, 14) + 22;
    const left = right - wide;
    pen.button(
      text,
      () => {
        memory.whole = map.near;
        again();
      },
      (button) => {
        button.rect(left, y - 18, wide, 25, { r: 12.5, fill: colour.background, stroke: colour.ink });
        button.text(left + wide / 2, y - 1, text, { size: 14, anchor: "middle" });
      },
      { key: "zoom" },
    );
    right = left - 14;
  }
  const bar = narrow ? 60 : 110;
  const left = right - bar - 26;
  pen.text(left - 8, y, "0", { size: 13, fill: colour.quiet, anchor: "end" });
  pen.text(right, y, "1", { size: 13, fill: colour.quiet, anchor: "end" });
  canvasIn(
    pen,
    {
      key: "scale",
      left,
      top: y - 11,
      width: bar,
      height: 12,
      sharp: its.sharp,
      stamp: `${data.scale[9]} ${data.faint}`,
    },
    (brush) => {
      for (let x = 0; x < bar; x++) {
        brush.fillStyle = data.scale[Math.round(share(x / (bar - 1), its) * (data.scale.length - 1))];
        brush.fillRect(x, 0, 1.5, 12);
      }
    },
  );
  const from = narrow ? 8 : row.right + 20;
  const said = readout(its);
  pen.text(from, y, said ?? (narrow ? "" : "point at a square for its weight"), {
    key: "readout",
    size: said ? 15 : 14,
    bold: Boolean(said),
    fill: said ? colour.ink : colour.quiet,
    room: left - 22 - from,
    "data-part": "readout",
  });
}

function readout(its) {
  const {
    point,
    open,
    scene: {
      data: { tokens },
      hidden,
    },
  } = its;
  if (!point || point.key < 0) return null;
  const at = "layer" in point ? point : { ...open, ...point };
  const other = at.layer !== open.layer || at.head !== open.head;
  const weight = hidden("weights") && at.query === its.query ? "?" : its.weightText(at);
  const pair = `${cutText(tokens[at.query], 110)} → ${cutText(tokens[at.key], 110)}: ${weight}`;
  return other ? `Layer ${at.layer}, head ${at.head}: ${pair}` : pair;
}

// --- the hand -------------------------------------------------------------------------------------------

const WAYS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
const within = (value, count) => Math.min(Math.max(value, 0), count - 1);

function press(pen, its) {
  const {
    at: { map, label },
    shown,
  } = its;
  const plain = { fill: "transparent", r: 0, class: "press" };
  const named = `The open head: one row for each query, one column for each key. ${readout({ ...its, point: { query: its.query, key: its.focus } }) ?? ""} Arrow keys move from square to square.`;
  const node = pen.rect(map.left, map.top, map.width, map.height, {
    key: "cells",
    ...plain,
    tabindex: 0,
    role: "group",
    "data-part": "map",
    "data-arrows": "",
    "aria-label": named,
  });
  const share = (event, side, length, start) => {
    const box = event.currentTarget.getBoundingClientRect();
    return within(
      Math.floor(((event[side] - box[start]) / box[length]) * (side === "clientX" ? shown.columns : shown.rows).length),
      (side === "clientX" ? shown.columns : shown.rows).length,
    );
  };
  const row = (event) => shown.rows[share(event, "clientY", "height", "top")];
  const column = (event) => shown.columns[share(event, "clientX", "width", "left")];
  node.onpointermove = (event) => its.aim({ query: row(event), key: column(event) });
  node.onpointerleave = () => its.aim(null);
  node.onclick = (event) => its.follow({ query: row(event), key: column(event) });
  node.onkeydown = (event) => step(its, event);
  node.onwheel = (event) => scroll(its, event);
  if (!map.labelled) return;
  const rows = pen.rect(map.left - label, map.top, label - 4, map.height, {
    key: "rows",
    ...plain,
    "data-part": "queries",
  });
  rows.onclick = (event) => its.follow({ query: row(event) });
  const columns = pen.rect(map.left, map.top - label, map.width, label - 4, {
    key: "columns",
    ...plain,
    "data-part": "keys",
  });
  columns.onclick = (event) => its.follow({ key: column(event) });
}

function step(its, event) {
  const way = WAYS[event.key];
  if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  const { rows, columns } = its.view;
  const next = (places, place, by) => places[within(Math.max(places.indexOf(place), 0) + by, places.length)];
  const at = its.scene.memory.walk ?? { query: its.query, key: its.focus }; // ahead of what is drawn
  its.walk({ query: next(rows, at.query, way[0]), key: next(columns, at.key, way[1]) });
}

function scroll(its, event) {
  const {
    at: { map },
    scene: { memory, again },
    view,
    first,
    shown,
    point,
  } = its;
  if (!map.near) return;
  event.preventDefault();
  const turned = (memory.turned ??= { x: 0, y: 0 });
  const [dx, dy] = event.shiftKey ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
  Object.assign(turned, { x: turned.x + dx, y: turned.y + dy });
  const take = (way) => {
    const steps = Math.trunc(turned[way] / 30);
    turned[way] -= 30 * steps;
    return steps;
  };
  const move = (from, by, shown, count) => Math.min(Math.max(from + by, 0), Math.max(count - shown, 0));
  memory.first = {
    row: move(first.row, take("y"), map.shown.rows, view.rows.length),
    column: move(first.column, take("x"), map.shown.columns, view.columns.length),
  };
  if (point && !("layer" in point)) {
    // the hand is over another square now
    const [r, c] = [shown.rows.indexOf(point.query), shown.columns.indexOf(point.key)];
    memory.point = { query: view.rows[memory.first.row + r], key: view.columns[memory.first.column + c] };
  }
  again();
}
