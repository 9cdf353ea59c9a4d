// A whole Transformer over one text, as one picture that can be zoomed: from the words at the left to the next word at
// the right, one row a token. A press on a part brings it near; at the end stands one number with its operands.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { cutText, textWidth } from "../../ui/browser/pen.js";
import { canvasIn, sharpness } from "../shared/canvas.js";
import { signs, SIGNS_WIDE } from "../shared/signs.js";
import { cardBox, operandCard } from "./operand_card.js";
import { between, fitCell, fitPart, panned, WHOLE, zoomed } from "./transformer_camera.js";
import {
  boxOf,
  cellsOf,
  heightOf,
  isInSight,
  isLater,
  laneOf,
  numbersOf,
  paintParts,
  partsOnScreen,
  standsFor,
  tensorsOf,
} from "./transformer_tiles.js";
import { buildTree, findPart, tileOf, wayTo } from "./transformer_tree.js";
import { words } from "./transformer_words.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["transformer"]} Data */

const TWEEN = 380;
const BETWEEN = 66; // units between the strips of an encoder and a decoder
const SEEN = 16; // units that a cell is wide if it can be told from its neighbours
const SLOPING = 44; // units of a word that is written at a slope
const DIM = 0.25;

/** @param {Component<Data>} component */
export default function transformer(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const its = model(scene);
    scene.tell(its.place, false);
    its.parts = partsOnScreen(its);
    its.cover = scene.data.number && its.opened && isSeen(its) ? cardBox(its) : null;
    pen.group({ key: "model", opacity: scene.dim("model") ? DIM : null }, (part) => paint(part, its));
    hand(pen, its);
    pen.group({ key: "names" }, (part) => {
      memoryBus(part, its);
      names(part, its);
      keyNames(part, its);
    });
    pen.group({ key: "tokens", opacity: scene.dim("tokens") ? DIM : null }, (part) => tokens(part, its));
    pen.group({ key: "words", opacity: scene.dim("words") ? DIM : null }, (part) => {
      for (const each of its.parts.drawn)
        if (each.kind === "words" || (each.id === "unembed" && scene.data.words))
          words(part, its, boxOf(its, each), each);
    });
    marks(pen, its);
    pen.group({ key: "foot" }, (part) => foot(part, its));
    if (its.cover) operandCard(pen, its);
  });
}

/**
 * What the picture remembers, brought up to the data: the tree of parts, the tensors, the camera.
 *
 * @param {Scene<any, any>} scene
 */
function model(scene) {
  const { data, memory, width, height, narrow, values } = scene;
  const its = (memory.its ??= { camera: WHOLE, over: null, moving: false, target: null });
  Object.assign(its, { scene, narrow, place: Math.max(Math.round(values("token")) - 1, 0) });
  its.plot = { left: narrow ? 62 : 96, top: narrow ? 44 : 52, width: 0, height: 0 };
  Object.assign(its.plot, { width: width - its.plot.left - 10, height: height - its.plot.top - (narrow ? 56 : 70) });
  // Between the strips there is room for two rows of names, and over them for the way of m.
  const gap = Math.min(Math.max(0.16, BETWEEN / Math.max(its.plot.height, 1)), 0.3);
  its.strips = data.source.length
    ? [
        { top: 0, bottom: 0.5 - gap / 2, rows: data.source.length },
        { top: 0.5 + gap / 2, bottom: 1, rows: data.tokens.length },
      ]
    : [{ top: 0, bottom: 1, rows: data.tokens.length }];
  if (its.data === data) return its;
  const [before, first] = [its.data, !its.data];
  Object.assign(its, {
    data,
    tensors: tensorsOf(data),
    textures: new Map(),
    reaches: new Map(),
    root: buildTree(data, narrow),
  });
  const other = first || before.model !== data.model || before.tokens.join(" ") !== data.tokens.join(" ");
  if (first || data.zoom !== before.zoom || other) lookAt(its, findPart(its.root, data.zoom) ?? its.root, !first);
  else its.part = findPart(its.root, its.part?.id ?? "") ?? its.root;
  const number = data.number;
  its.opened = number && tileOf(its.root, number.stage, number.column);
  const fresh =
    number &&
    (first ||
      !before.number ||
      before.number.stage !== number.stage ||
      before.number.row !== number.row ||
      before.number.column !== number.column);
  if (fresh && its.opened && !isNear(its, number))
    nearCell(its, its.opened, { row: number.row, column: number.column - its.opened.first }, !first);
  return its;
}

/** Whether the open number can be told from its neighbours; its card goes where it is too far away. */
function isSeen(its) {
  const { number } = its.scene.data;
  const cells = cellsOf(its, its.opened);
  if (!cells || cells.wide < SEEN) return false;
  const { left, wide } = cells.place(number.row, number.column - its.opened.first);
  return left + wide > its.plot.left && left < its.plot.left + its.plot.width;
}

function isNear(its, number) {
  const cells = cellsOf(its, its.opened);
  if (!cells?.legible) return false;
  const { left, top } = cells.place(number.row, number.column - its.opened.first);
  const { plot } = its;
  return left >= plot.left && left < plot.left + plot.width && top >= plot.top - 4 && top < plot.top + plot.height;
}

// --- the camera -------------------------------------------------------------------------------------

const stillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function moveTo(its, camera, animated = true) {
  its.target = null;
  if (!animated || stillness()) {
    Object.assign(its, { camera, moving: false });
    return its.scene.again();
  }
  const [from, start] = [its.camera, performance.now()];
  const target = (its.target = {});
  its.moving = true;
  const step = (now) => {
    if (its.target !== target) return;
    const share = Math.min(Math.max((now - start) / TWEEN, 0), 1);
    its.camera = share < 1 ? between(from, camera, 1 - (1 - share) ** 3) : camera;
    its.moving = share < 1;
    its.scene.again();
    if (share < 1) requestAnimationFrame(step);
    else its.target = null;
  };
  requestAnimationFrame(step);
}

function lookAt(its, part, animated = true) {
  its.part = part;
  moveTo(its, fitPart(part, its.strips), animated);
}

function nearCell(its, tile, cell, animated = true) {
  its.part = tile;
  const numbers = numbersOf(its, tile);
  if (!numbers) return lookAt(its, tile, animated);
  moveTo(its, fitCell(tile, numbers.columns, cell, its.strips), animated);
}

/** Bring a part near, and tell the server which. */
function open(its, part) {
  lookAt(its, part);
  its.scene.send({ zoom: part.id });
}

// By hand: the numbers of the cells come back when it rests.
function nudged(its, camera) {
  its.target = null;
  Object.assign(its, { camera, moving: true });
  clearTimeout(its.resting);
  its.resting = setTimeout(() => {
    its.moving = false;
    its.scene.again();
  }, 120);
  its.scene.again();
}

// --- what is drawn ------------------------------------------------------------------------------------

/** @param {Pen} pen */
function paint(pen, its) {
  const {
    scene: { width, height, colour, data },
    camera: { x0, x1, y0, y1 },
  } = its;
  if (its.painted !== data) Object.assign(its, { painted: data, turn: (its.turn ?? 0) + 1 });
  const stamp = [its.turn, x0, x1, y0, y1, its.moving, its.place, colour.background, width, height, its.data.zoom].join(
    " ",
  );
  canvasIn(
    pen,
    {
      key: "canvas",
      left: 0,
      top: 0,
      width,
      height,
      sharp: sharpness(/** @type {any} */ (pen.parent).ownerSVGElement),
      stamp,
    },
    (brush) => paintParts(brush, its),
  );
}

/** The part of a span that is on screen. */
function onScreen(its, { left, width }) {
  const { plot } = its;
  const [from, to] = [Math.max(left, plot.left), Math.min(left + width, plot.left + plot.width)];
  return { from, middle: (from + to) / 2, room: to - from };
}

// Two rows of names above each strip: what is drawn, and over it the parts that are open. Each is pressed to come near.
function names(pen, its) {
  const rows = { open: [], drawn: its.parts.drawn };
  for (const part of its.parts.open)
    if (part.children.some((each) => its.parts.drawn.includes(each))) rows.open.push(part);
  its.strips.forEach((_, strip) => {
    if (!isInSight(its, strip)) return;
    const top = Math.max(laneOf(its, strip, 0).top, its.plot.top);
    nameRow(
      pen,
      its,
      rows.open.filter((part) => part.strip === strip),
      { y: top - 34, bold: true },
    );
    nameRow(
      pen,
      its,
      rows.drawn.filter((part) => part.strip === strip),
      { y: top - 14, bold: false },
    );
  });
  for (const part of its.parts.drawn) if (part.sum) bypass(pen, its, part);
}

function nameRow(pen, its, parts, { y, bold }) {
  const {
    scene: { colour },
  } = its;
  const size = its.narrow ? 13 : 14;
  let free = -Infinity;
  for (const part of parts) {
    const { from, middle, room } = onScreen(its, boxOf(its, part));
    const title = [part.title, part.short].find((text) => textWidth(text, size, bold) * 1.05 + 6 <= room);
    if (!title) continue;
    const wide = textWidth(title, size, bold) * 1.05;
    const x = bold && part.strip ? from + 4 : middle - wide / 2; // the arrows of m come down in the middle
    if (x < free) continue;
    free = x + wide + 5;
    const here = part === its.part;
    const fill = here
      ? colour.ink
      : part.kind === "attention" || part.kind === "head"
        ? colour.weight
        : bold
          ? colour.ink
          : colour.quiet;
    pen.button(
      `Zoom to ${nameOf(part)}`,
      () => open(its, part),
      (button) => {
        button.rect(x - 3, y - size, wide + 6, size + 5, { fill: "transparent", r: 3 });
        button.text(x + wide / 2, y, title, { size, bold, anchor: "middle", fill });
      },
      { key: `name ${part.id}`, disabled: here && its.target === null },
    );
  }
}

// What the encoder made of the source goes to the cross-attention of every block of the decoder.
function memoryBus(pen, its) {
  const {
    plot,
    scene: { colour },
  } = its;
  if (its.strips.length < 2 || !isInSight(its, 0) || !isInSight(its, 1)) return;
  const crosses = [...its.parts.drawn, ...its.parts.open].filter((part) => part.id.endsWith(".cross"));
  const m = its.parts.drawn.find((part) => part.id === "m" || part.id === "m.end");
  if (!m || !crosses.length) return;
  const y = heightOf(its, m).bottom + 7;
  const middle = ({ left, width }) => Math.min(Math.max(left + width / 2, plot.left), plot.left + plot.width);
  const ends = crosses.map((part) => middle(boxOf(its, part)));
  pen.path(`M${middle(boxOf(its, m))} ${y - 6}V${y}H${Math.min(...ends)}`, {
    key: "bus",
    stroke: colour.input,
    width: 2.5,
  });
  for (const [n, x] of ends.entries()) {
    const end = laneOf(its, 1, 0).top - (its.parts.open.some((part) => part.strip === 1) ? 30 : 28);
    pen.line(x, y, x, end, { key: `bus ${n}`, stroke: colour.input, width: 2.5 });
    pen.head(x, end + 3, 90, colour.input, 8);
  }
}

// The keys of the cells of scores and weights, and of a head's weights: side by side, or at a slope where there is
// less room.
function keyNames(pen, its) {
  const {
    plot,
    scene: { data, colour },
    narrow,
  } = its;
  if (its.moving) return;
  const size = narrow ? 13 : 14;
  for (const part of its.parts.drawn) {
    const tile = part.kind === "head" ? standsFor(its, part) : part;
    if (!tile || !/alpha|score/.test(tile.stage)) continue;
    const { left, width } = boxOf(its, part);
    const words = /calpha|cscore/.test(tile.stage) || part.strip < its.strips.length - 1 ? data.source : data.tokens;
    const wide = width / words.length;
    const { bottom } = heightOf(its, part);
    const upright = words.every((word) => textWidth(word, size) + 6 <= wide);
    const below = (part.strip < its.strips.length - 1 && isInSight(its, 1)) || bottom > plot.top + plot.height + 1;
    if (!upright && (wide < size || below)) continue; // between the strips stand names
    const y = Math.min(bottom, plot.top + plot.height) + (upright ? 15 : 12);
    words.forEach((word, n) => {
      const x = left + (n + 0.5) * wide;
      if (x - wide / 2 < plot.left - 1 || x + wide / 2 > plot.left + plot.width + 1 || isCovered(its, x, y)) return;
      const how = { key: `key ${part.id} ${n}`, size, fill: colour.key };
      if (upright) pen.text(x, y, word, { ...how, anchor: "middle" });
      else
        pen.text(0, 0, cutText(word, SLOPING, size), {
          ...how,
          anchor: "end",
          transform: `translate(${x + 4} ${y}) rotate(-45)`,
        });
    });
  }
}

// The stream goes around a part and is added behind it.
function bypass(pen, its, part) {
  const {
    plot,
    scene: { colour },
  } = its;
  const around = findPart(its.root, part.sum);
  if (!around) return;
  const siblings = part.parent.children;
  const first = siblings.indexOf(around);
  const before = siblings[first - 1];
  const from = before ? boxOf(its, before).left + boxOf(its, before).width / 2 : boxOf(its, around).left - 4;
  const to = boxOf(its, part);
  const x1 = to.left + to.width / 2;
  const { top } = heightOf(its, part);
  const y = Math.max(top, plot.top) - 10;
  const [x0, end] = [Math.max(from, plot.left), Math.min(x1, plot.left + plot.width)];
  if (end - x0 < 24) return;
  pen.path(`M${x0} ${y + 8}V${y}H${end}V${y + 7}`, { key: `around ${part.id}`, stroke: colour.activation, width: 2 });
  if (x1 <= plot.left + plot.width) pen.head(x1, y + 9, 90, colour.activation, 7);
}

export function nameOf(part) {
  const way = wayTo(part).slice(1);
  return way.length ? way.map((each) => each.title).join(", ") : "the whole model";
}

// The tokens at the left of their lanes; a press follows another one.
function tokens(pen, its) {
  const {
    plot,
    scene: { data, colour, move },
  } = its;
  const last = its.strips.length - 1;
  its.strips.forEach(({ rows }, strip) => {
    const names = strip === last ? data.tokens : data.source;
    const { high } = laneOf(its, strip, 0);
    const every = Math.ceil(15 / Math.max(high, 0.01));
    for (let row = 0; row < rows; row++) {
      const here = row === its.place && strip === last;
      if (row % every && !here) continue;
      if (!here && every > 1 && strip === last && Math.abs(row - its.place) < every) continue;
      const { top } = laneOf(its, strip, row);
      const y = Math.min(Math.max(top + high / 2, plot.top + 8), plot.top + plot.height - 8);
      if (top + high < plot.top + 4 || top > plot.top + plot.height - 4 || isCovered(its, plot.left - 40, y)) continue;
      const size = its.narrow ? 13 : 15;
      const draw = (button) => {
        const text = cutText(names[row], plot.left - 16, size, here);
        const wide = textWidth(text, size, here);
        if (here) button.mark(plot.left - 12 - wide - 5, y - size * 0.72, wide + 10, size * 1.36);
        else button.rect(2, y - size * 0.7, plot.left - 10, size * 1.4, { fill: "transparent" });
        button.text(plot.left - 12, y + size * 0.34, text, {
          size,
          bold: here,
          anchor: "end",
          fill: here
            ? colour.onMark
            : isLater(its, strip, row)
              ? colour.quiet
              : strip === last
                ? colour.ink
                : colour.input,
        });
      };
      if (strip === last)
        pen.button(`Follow token ${row + 1}, ${names[row]}`, () => move("token", row + 1, true), draw, {
          key: `token ${row}`,
          chosen: here,
        });
      else pen.group({ key: `source ${row}` }, draw);
    }
  });
}

/** Whether a point lies under the card of the open number. */
export const isCovered = ({ cover }, x, y) =>
  Boolean(cover) &&
  x > cover.left &&
  x < cover.left + cover.wide &&
  y > cover.top - 10 &&
  y < cover.top + cover.high + 10;

// The cell that is pointed at, and the open number.
function marks(pen, its) {
  const {
    scene: { colour, data },
  } = its;
  const ring = (part, row, column, how) => {
    const cells = cellsOf(its, part);
    if (!cells || cells.wide < 3) return;
    const { left, top, wide, high } = cells.place(row, column);
    if (
      left + wide < its.plot.left ||
      left > its.plot.left + its.plot.width ||
      top + high < its.plot.top - 4 ||
      top > its.plot.top + its.plot.height
    )
      return;
    pen.rect(left, top, wide, Math.max(high, 2), { r: 0, "pointer-events": "none", ...how });
  };
  if (its.opened && data.number)
    ring(its.opened, data.number.row, data.number.column - its.opened.first, {
      key: "open",
      stroke: colour.mark,
      line: 4,
    });
  if (its.over?.cell && !its.moving)
    ring(its.over.tile, its.over.cell.row, its.over.cell.column, { key: "over", stroke: colour.ink, line: 1.5 });
}

// --- below the model: the way to the part, what is pointed at, and the zoom ------------------------------

function foot(pen, its) {
  const {
    scene: { width, height, colour, data },
    narrow,
  } = its;
  const y = height - 14;
  const size = narrow ? 13 : 14;
  const zoom = [
    ["+", 1.6],
    ["−", 1 / 1.6],
  ];
  let right = width - 8;
  for (const [sign, factor] of zoom) {
    const left = right - 30;
    pen.button(
      sign === "+" ? "Zoom in" : "Zoom out",
      () => moveTo(its, zoomed(its.camera, 0.5, 0.5, factor, isDeep(its))),
      (button) => {
        button.rect(left, y - 19, 30, 26, { fill: colour.background, stroke: colour.quiet, r: 8 });
        button.text(left + 15, y, sign, { size: 17, bold: true, anchor: "middle" });
      },
      { key: `zoom ${sign}` },
    );
    right = left - 6;
  }
  if (width >= 480) signs(pen, { x: (right -= SIGNS_WIDE + 8), y, fills: data.signed });
  let left = 10;
  for (const part of wayTo(its.part)) {
    const text = part.title;
    const wide = textWidth(text, size, true) * 1.05;
    if (left + wide > width * (narrow ? 0.55 : 0.42)) break;
    const here = part === its.part;
    if (part.parent) {
      pen.text(left, y, "›", { key: `then ${part.id}`, size, fill: colour.quiet });
      left += 12;
    }
    pen.button(
      `Back to ${nameOf(part)}`,
      () => open(its, part),
      (button) => {
        button.rect(left - 3, y - 17, wide + 6, 23, { fill: "transparent", r: 4 });
        button.text(left, y, text, { size, bold: true, fill: here ? colour.ink : colour.input });
      },
      {
        key: `way ${part.id}`,
        disabled: here && its.target === null && sameCamera(its.camera, fitPart(part, its.strips)),
      },
    );
    left += wide + 8;
  }
  const door = doorOf(its);
  if (door && !narrow) {
    const text = `Open in ${door[0]} ›`;
    const wide = textWidth(text, size, true) * 1.05 + 20;
    pen.group({ tag: "a", href: door[1], target: "_self", key: "door", "aria-label": text }, (button) => {
      button.rect(right - wide, y - 19, wide, 26, { fill: colour.background, stroke: colour.input, r: 13 });
      button.text(right - wide / 2, y, text, { size, bold: true, anchor: "middle", fill: colour.input });
    });
    right -= wide + 10;
  }
  const said = readout(its);
  const room = right - left - 14;
  const text = said ? said.text : narrow ? "" : "Press a part to bring it near; the wheel zooms, dragging moves";
  pen.text(left + 10, y, room > 60 ? cutText(text, room, size) : "", {
    key: "readout",
    size,
    fill: said ? colour.ink : colour.quiet,
    "data-part": "readout",
    "data-at": said?.at,
    "data-value": said?.value,
  });
}

const sameCamera = (a, b) => Object.keys(a).every((key) => Math.abs(a[key] - b[key]) < 1e-9);

function doorOf(its) {
  const { data } = its.scene;
  for (const part of wayTo(its.part).reverse()) {
    const name =
      part.kind === "tile"
        ? part.stage
            .split(".")
            .filter((each) => !/^\d+$/.test(each))
            .at(-1)
        : part.id
            .split(".")
            .filter((each) => !/^\d+$/.test(each))
            .at(-1);
    const found = data.doors[part.id] ?? data.doors[name];
    if (found) {
      const [block, head] = [
        Number(/^[bde](\d+)/.exec(part.id)?.[1] ?? 1) - 1,
        Number(/head\.(\d+)/.exec(wayTo(part).at(-1).id)?.[1] ?? /head\.(\d+)/.exec(part.parent?.id ?? "")?.[1] ?? 1) -
          1,
      ];
      return [
        found.page,
        found.address
          .replaceAll("LAYER", String(block))
          .replaceAll("HEAD", String(head))
          .replaceAll("TOKEN", String(its.place))
          .replaceAll("ORDINAL", String(its.place + 1)),
      ];
    }
  }
  return null;
}

function readout(its) {
  const {
    over,
    scene: { data },
  } = its;
  if (!over) return null;
  if (!over.cell) return { text: nameOf(over.part) };
  const { tile, cell } = over;
  const value = numbersOf(its, tile).at(cell.row, cell.column);
  const tokens = tile.strip === its.strips.length - 1 ? data.tokens : data.source;
  const keys = tile.stage.includes("calpha") || tile.stage.includes("cscore") ? data.source : tokens;
  const column = /alpha|score/.test(tile.stage) ? `for ${keys[cell.column]}` : `column ${tile.first + cell.column}`;
  const at = `${tile.stage}[${cell.row}, ${tile.first + cell.column}]`;
  return { text: `${formatNumber(value)}: ${tokens[cell.row]}, ${column} of ${nameOf(tile)}`, at, value };
}

// --- the hand -------------------------------------------------------------------------------------------

const isDeep = (its) => its.part?.kind === "tile";

/** What is at a point: the smallest part that is drawn, and the cell of its tile. */
function pick(its, x, y) {
  const { plot } = its;
  if (x < plot.left || x > plot.left + plot.width || y < plot.top - 6 || y > plot.top + plot.height + 4) return null;
  for (const part of its.parts.drawn) {
    const { left, width } = boxOf(its, part);
    const { top, bottom } = heightOf(its, part);
    if (x < left || x > left + width || y < top || y > bottom) continue;
    const tile =
      part.kind === "tile" ? part : part.kind === "attention" || part.kind === "words" ? null : standsFor(its, part);
    const cells = tile && part === tile ? cellsOf(its, tile) : null;
    const cell = cells && cells.wide >= 2 ? cells.at(x, y) : null;
    return { part, tile, cell };
  }
  const strip = its.strips.findIndex((_, n) => {
    const { top } = laneOf(its, n, 0);
    const { rows } = its.strips[n];
    return y >= top && y <= top + laneOf(its, n, 0).high * rows;
  });
  const open = its.parts.open
    .filter(
      (part) =>
        part.strip === strip && x >= boxOf(its, part).left && x <= boxOf(its, part).left + boxOf(its, part).width,
    )
    .at(-1);
  return open ? { part: open, tile: null, cell: null } : null;
}

function press(its, x, y) {
  const found = pick(its, x, y);
  if (!found) return;
  const { part, tile, cell } = found;
  if (part.kind !== "tile") return open(its, part);
  if (!tile || !cell) return open(its, part);
  const cells = cellsOf(its, tile);
  if (cells.legible)
    return its.scene.send({ at: `${tile.stage}[${cell.row}, ${tile.first + cell.column}]`, zoom: tile.id });
  if (boxOf(its, part).width < 0.6 * its.plot.width && its.part !== part) return open(its, part);
  nearCell(its, tile, cell);
}

function hand(pen, its) {
  const { plot } = its;
  const named = `${its.scene.data.model}, now ${nameOf(its.part)}. Plus and minus zoom, arrow keys move, Backspace goes back.`;
  const node = pen.rect(plot.left, plot.top - 8, plot.width, plot.height + 12, {
    key: "hand",
    fill: "transparent",
    r: 0,
    class: "press",
    tabindex: 0,
    role: "group",
    "aria-label": named,
    "data-part": "hand",
    "data-arrows": "",
    style: "touch-action:none",
  });
  node.bound = its;
  if (node.listens) return;
  node.listens = true;
  /** @returns {[number, number]} */
  const at = (event) => {
    const svg = node.ownerSVGElement;
    const box = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  };
  const held = new Map();
  const share = ([x, y]) => [
    (x - node.bound.plot.left) / node.bound.plot.width,
    (y - node.bound.plot.top) / node.bound.plot.height,
  ];
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    node.setPointerCapture(event.pointerId);
    held.set(event.pointerId, { from: at(event), now: at(event), moved: held.size > 0 });
    for (const each of held.values()) each.moved ||= held.size > 1;
  });
  node.addEventListener("pointermove", (event) => {
    const its = node.bound;
    const finger = held.get(event.pointerId);
    const [x, y] = at(event);
    if (!finger) return point(its, pick(its, x, y));
    if (!finger.moved && Math.hypot(x - finger.from[0], y - finger.from[1]) < 4) return;
    finger.moved = true;
    const before = [...held.values()].map((each) => each.now);
    finger.now = [x, y];
    const after = [...held.values()].map((each) => each.now);
    if (after.length === 1) {
      const { plot } = its;
      return nudged(its, panned(its.camera, (before[0][0] - x) / plot.width, (before[0][1] - y) / plot.height));
    }
    const [a, b] = [before, after].map(([p, q]) => ({
      middle: [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2],
      size: Math.hypot(p[0] - q[0], p[1] - q[1]) || 1,
    }));
    const [u, v] = share(/** @type {[number, number]} */ (b.middle));
    const [du, dv] = [(a.middle[0] - b.middle[0]) / its.plot.width, (a.middle[1] - b.middle[1]) / its.plot.height];
    nudged(its, panned(zoomed(its.camera, u, v, b.size / a.size, isNarrower(its)), du, dv));
  });
  const end = (event) => {
    const finger = held.get(event.pointerId);
    held.delete(event.pointerId);
    if (finger && !finger.moved && event.type === "pointerup") press(node.bound, ...at(event));
  };
  node.addEventListener("pointerup", end);
  node.addEventListener("pointercancel", end);
  node.addEventListener("pointerleave", () => !held.size && point(node.bound, null));
  node.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const its = node.bound;
      const [u, v] = share(at(event));
      if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
        return nudged(its, panned(its.camera, (event.deltaX || event.deltaY) / 1000, 0));
      nudged(its, zoomed(its.camera, u, v, Math.exp(-event.deltaY * 0.0018), isNarrower(its)));
    },
    { passive: false },
  );
  node.addEventListener("keydown", (event) => keys(node.bound, event));
}

// Whether a zoom is of both ways: the height follows once the width shows less than a few tensors.
const isNarrower = (its) => its.parts.drawn.length <= 3 && its.parts.drawn.every((part) => part.kind === "tile");

function keys(its, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const ways = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, -0.15], ArrowDown: [0, 0.15] };
  const number = its.scene.data.number;
  if (ways[event.key] && number && its.opened) stepNumber(its, number, ways[event.key]);
  else if (ways[event.key]) nudged(its, panned(its.camera, ...ways[event.key]));
  else if (event.key === "+" || event.key === "=") moveTo(its, zoomed(its.camera, 0.5, 0.5, 1.6, isNarrower(its)));
  else if (event.key === "-") moveTo(its, zoomed(its.camera, 0.5, 0.5, 1 / 1.6, isNarrower(its)));
  else if (event.key === "Backspace" && its.part?.parent) open(its, its.part.parent);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function stepNumber(its, number, [dx, dy]) {
  const { rows, columns } = numbersOf(its, its.opened);
  const row = Math.min(Math.max(number.row + Math.sign(dy), 0), rows - 1);
  const column =
    Math.min(Math.max(number.column - its.opened.first + Math.sign(dx), 0), columns - 1) + its.opened.first;
  its.scene.send({ at: `${number.stage}[${row}, ${column}]` });
}

function point(its, found) {
  const same = (a, b) =>
    a === b || (a && b && a.part === b.part && a.cell?.row === b.cell?.row && a.cell?.column === b.cell?.column);
  if (same(its.over, found)) return;
  its.over = found;
  its.scene.again();
}
