// All weights α_ij as a map: a row for each word that is written, a column for each word of the source. Pointing at
// a cell shows the word that is written if all of α_i is there; a press forces it.

import { cutText, textWidth } from "../../ui/browser/pen.js";
import { canvasIn, sharpness } from "../shared/canvas.js";
import { mapCells } from "./places.js";

/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */

const HEAD = 20;
const FOOT = 158;
const NAMED = 15; // side of a cell beside which a name has room
const ROW = 23; // of a candidate
const sub = (number) => String(number).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 * @param {any} box
 * @param {any} now
 */
export function alphaMap(pen, scene, box, now) {
  const { colour, data } = scene;
  const written = data.attention.words;
  const at = mapCells(box, data.source, written, { head: HEAD, foot: FOOT });
  pen.text(box.left, box.top + 8, "All weights αᵢⱼ", { size: 15, bold: true, fill: colour.weight });
  paintCells(pen, scene, at, now);
  names(pen, scene, at, now);
  if (!now.covered)
    pen.rect(at.left - 1.5, at.top + now.step * at.cell - 1.5, at.wide + 3, at.cell + 3, {
      key: "row",
      stroke: colour.ink,
      line: 2.5,
      r: 2,
    });
  data.forced.forEach(
    (j, i) =>
      j >= 0 &&
      pen.rect(at.left + j * at.cell, at.top + i * at.cell, at.cell, at.cell, {
        key: `forced ${i}`,
        stroke: colour.gradient,
        line: 3,
        r: 2,
      }),
  );
  if (now.over)
    pen.rect(at.left + now.over.j * at.cell, at.top + now.over.i * at.cell, at.cell, at.cell, {
      key: "over",
      stroke: colour.ink,
      line: 2.5,
      dash: "4 3",
      r: 2,
    });
  cover(pen, scene, at, now);
  foot(pen, scene, box, at, now);
}

function paintCells(pen, { colour, data, memory }, at, now) {
  if (memory.mapped !== data) Object.assign(memory, { mapped: data, mapTurn: (memory.mapTurn ?? 0) + 1 });
  const stamp = `${memory.mapTurn} ${colour.weight} ${at.cell} ${now.covered ? now.step : "all"}`;
  canvasIn(
    pen,
    { key: "cells", left: at.left, top: at.top, width: at.wide, height: at.high, sharp: sharpness(pen.parent), stamp },
    (brush) => {
      for (let i = 0; i <= now.last; i++) {
        now.row(i).forEach((alpha, j) => {
          const unknown = now.covered && i >= now.step;
          brush.globalAlpha = unknown ? 1 : Math.max(alpha, 0.05);
          brush.fillStyle = unknown ? colour.line : colour.weight;
          const gap = at.cell > 8 ? 1 : 0;
          brush.fillRect(j * at.cell + gap / 2, i * at.cell + gap / 2, at.cell - gap, at.cell - gap);
        });
      }
      brush.globalAlpha = 1;
    },
  );
}

function names(pen, { colour, data }, at, now) {
  const every = Math.ceil(NAMED / at.cell); // where cells are small, not all have a name
  const most = now.covered ? -1 : now.weights.indexOf(Math.max(...now.weights));
  data.source.forEach((word, j) => {
    if (j % every) return;
    pen.text(0, 0, word, {
      key: `column ${j}`,
      size: at.size,
      bold: j === most,
      fill: j === most ? colour.weight : colour.ink,
      transform: `translate(${at.left + (j + 0.5) * at.cell + 3} ${at.top - 6}) rotate(-50)`,
    });
  });
  data.attention.words.forEach((word, i) => {
    if (i % every) return;
    const good = data.attention.right[i];
    pen.text(at.left - 7, at.top + (i + 0.5) * at.cell + 5, now.unknown(i) ? "?" : word, {
      key: `line ${i}`,
      size: at.size,
      bold: i === now.step,
      anchor: "end",
      fill: good ? colour.ink : colour.gradient,
    });
  });
}

// What takes the pointer: which cell it is over, and what is forced with a press.
function cover(pen, scene, at, now) {
  const { memory, again, send, move, hidden } = scene;
  const node = pen.rect(at.left, at.top, at.wide, at.high, { key: "cover", fill: "transparent", class: "press" });
  const still = now.covered || hidden("instead");
  const cellOf = (event) => {
    const frame = node.getBoundingClientRect();
    const part = (value, from, size, count) =>
      Math.min(Math.max(Math.floor(((value - from) / size) * count), 0), count - 1);
    return {
      i: part(event.clientY, frame.top, frame.height, now.last + 1),
      j: part(event.clientX, frame.left, frame.width, now.places),
    };
  };
  const over = (cell) => {
    if (memory.over?.i === cell?.i && memory.over?.j === cell?.j) return;
    memory.over = cell;
    again();
  };
  node.onpointermove = still
    ? null
    : (event) => {
        const cell = cellOf(event);
        over(cell);
        memory.left ??= now.step; // the step to come back to
        if (cell.i !== now.step) move("step", cell.i + 1, false);
      };
  node.onpointerleave = still
    ? null
    : () => {
        over(null);
        if (memory.left !== undefined && memory.left !== now.step) move("step", memory.left + 1, true);
        memory.left = undefined;
      };
  node.onclick = still
    ? null
    : (event) => {
        const { i, j } = cellOf(event);
        Object.assign(memory, { over: null, left: undefined });
        send({ force: [i + 1, j + 1], step: i + 1 });
      };
}

function foot(pen, scene, box, at, now) {
  const { colour, data, send } = scene;
  const y = box.top + box.high - FOOT + 26;
  const i = now.over ? now.over.i : now.step;
  const place = now.over ? now.over.j : data.forced[i];
  const forced = data.forced.some((j) => j >= 0);
  const room = box.wide - (forced ? 106 : 0);
  if (place >= 0 && !now.covered) {
    const chance = data.insteadProbabilities[i * now.places + place];
    const lead = cutText(`All of α${sub(i + 1)} on ${data.source[place]}: `, room - 110, 16);
    pen.text(box.left, y, lead, { key: "what", size: 16 });
    pen.markedText(box.left + textWidth(lead, 16) + 8, y, `${data.instead[i][place]}, p = ${chance.toFixed(2)}`, true, {
      key: "then",
      size: 16,
      bold: true,
    });
  } else if (!now.covered) {
    pen.text(box.left, y, "Point at a cell: the word if all of αᵢ were there. Press: force it.", {
      key: "hint",
      size: 14,
      fill: colour.quiet,
      room,
    });
  }
  if (forced) {
    const label = "Release α";
    const right = box.left + box.wide;
    pen.button(
      label,
      () => send({ release: true }),
      (its) => {
        its.rect(right - 96, y - 19, 96, 27, { r: 13, fill: colour.background, stroke: colour.gradient, line: 2 });
        its.text(right - 48, y, label, { size: 15, bold: true, anchor: "middle", fill: colour.gradient });
      },
      { key: "release" },
    );
  }
  const half = (box.wide - 24) / 2;
  candidates(
    pen,
    scene,
    {
      key: "attention",
      words: data.attention,
      tint: colour.activation,
      title: `With attention, p(y${sub(now.step + 1)})`,
      left: box.left,
      top: y + 32,
      wide: half,
    },
    now,
  );
  candidates(
    pen,
    scene,
    {
      key: "vector",
      words: data.vector,
      tint: colour.loss,
      title: "One vector",
      left: box.left + half + 24,
      top: y + 32,
      wide: half,
    },
    now,
  );
}

// The most probable next words of one model, as bars.
function candidates(pen, { colour, data }, { key, words, tint, title, left, top, wide }, now) {
  pen.text(left, top, title, { key: `${key} title`, size: 14, bold: true, fill: tint, room: wide });
  const row = words.next[now.step];
  if (!row || now.unknown(now.step)) return;
  const count = row.length;
  const label = Math.min(Math.max(...words.next.flat().map((word) => textWidth(word, 15, true))), 0.42 * wide) + 8;
  const reach = wide - label - 42;
  row.forEach((word, k) => {
    const y = top + 8 + ROW * (k + 0.5);
    const share = words.probabilities[now.step * count + k];
    const wrong = word !== data.target[now.step];
    pen.text(left, y + 5, word, {
      key: `${key} word ${k}`,
      size: 15,
      bold: !k,
      room: label - 6,
      fill: !k && wrong ? colour.gradient : colour.ink,
    });
    pen.rect(left + label, y - 6, Math.max(reach * share, 1), 12, {
      key: `${key} bar ${k}`,
      r: 2,
      fill: tint,
      "fill-opacity": k ? 0.5 : 1,
    });
    pen.text(left + label + Math.max(reach * share, 1) + 6, y + 5, share.toFixed(2), {
      key: `${key} share ${k}`,
      size: 14,
      bold: !k,
    });
  });
}
