// The words as trees: letters below, pieces as tiles on top, a node for every merge between, and a level that
// says which merges are done. Beside them the pairs that lead now, and how many tokens the text still has.

import { line, scaleLinear } from "../../ui/browser/d3.js";
import { mainPicture, still } from "../../ui/browser/main_picture.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { cutText, textWidth } from "../../ui/browser/pen.js";
import { across, below, fitUpwards, levelAt, nodeAt, toCome, topsAt } from "./tree_places.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["tokens"]} Data */

const DIM = 0.18;
const GLIDE = 260;
const UNKNOWN = "[UNK]";

/** @param {Component<Data>} component */
export default function tokens(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const n = Math.floor(scene.values("tokens_n") + 1e-6);
    const at = places(scene, n);
    const beside = (name, how) => pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
    beside("level", (its) => done(its, scene, at));
    pen.group({ tag: "clipPath", key: "clip", id: "trees" }, (its) =>
      its.rect(at.left - 6, 0, at.room + 12, scene.height, { r: 0 }),
    );
    pen.group(
      { key: "trees", "clip-path": at.more ? "url(#trees)" : null, "data-scrolls": at.more ? "" : null },
      (trees) => {
        const part = (name, how) => trees.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
        part("letters", (its) => letters(its, scene, at));
        part("tree", (its) => forest(its, scene, at, n));
        part("tiles", (its) => tiles(its, scene, at, n));
      },
    );
    beside("handle", (its) => level(its, scene, at));
    if (at.more) scrolling(pen, scene, at);
    if (at.panel) {
      beside("next", (its) => pairs(its, scene, at.panel, n));
      beside("curve", (its) => curve(its, scene, at.panel));
    } else beside("next", (its) => nextLine(its, scene, at, n));
  });
}

// --- places ------------------------------------------------------------------------------------

function places(scene, n) {
  const { width, height, narrow, data, memory } = scene;
  const low = height < 460;
  const panel = narrow ? null : { left: width - 268, right: width - 20, top: 14, foot: height - 12, low };
  const left = narrow ? 50 : 92;
  const room = (panel ? panel.left - 34 : width - 10) - left;
  const tile = narrow ? { top: 26, height: 50 } : { top: 34, height: low ? 58 : 66 };
  const foot = height - (narrow ? 30 : 14);
  const letter = narrow ? 26 : 32;
  const base = foot - letter;
  const rows = data.words.map((word) => topsAt(word, n));
  const wide = across(data.words, rows, room, (text, size) => textWidth(text, size, true));
  const highest = tile.top + tile.height + (narrow ? 22 : 30);
  const up = fitUpwards(data.words, base - highest, narrow ? 26 : 30, narrow ? 44 : 56);
  const more = wide.width > room + 1;
  const last = data.curve.length - 1;
  const y = (/** @type {number} */ rise) => base - rise * up.row;
  const end = (base - (tile.top + tile.height + 14)) / up.row;
  const levelOf = (merges) => y(levelAt(up.knots, merges, last, end));
  const flat = glide(scene, [wide.size, ...wide.edges.flat(2)]);
  let place = 1;
  const edges = wide.edges.map((word) => word.map(() => [flat[place++], flat[place++]]));
  const furthest = Math.max(0, wide.width - room);
  if (memory.sentence !== sentenceOf(data)) {
    memory.sentence = sentenceOf(data);
    const named = wide.edges[data.named];
    memory.scroll = (named[0][0] + named[named.length - 1][1] - room) / 2;
  }
  memory.scroll = Math.min(Math.max(memory.scroll, 0), furthest);
  const from = left - memory.scroll;
  const across_ = (w, start, end_) => [from + edges[w][start][0], from + edges[w][end_ - 1][1]];
  return {
    left,
    room,
    panel,
    tile,
    base,
    foot,
    letter,
    more,
    furthest,
    size: flat[0],
    up,
    y,
    levelOf,
    last,
    narrow,
    chip: Math.min(narrow ? 19 : 23, Math.max(up.row * 0.86, 15)),
    span: across_,
    centre: (w, node) => {
      const [a, b] = across_(w, node.start, node.end);
      return (a + b) / 2;
    },
    height: (w, node) => y(up.heights[w][node.i]),
  };
}

const sentenceOf = (data) => data.words.map((word) => word.letters.join("")).join(" ");

// Letters move to where they belong; they jump where the picture itself is another.
function glide({ memory, width, data, again }, target) {
  const shape = `${width} ${sentenceOf(data)}`;
  if (memory.shape !== shape || memory.to.length !== target.length || still()) {
    Object.assign(memory, { shape, to: target, now: target, key: target.join() });
    return target;
  }
  if (memory.key !== target.join())
    Object.assign(memory, { key: target.join(), from: memory.now, to: target, start: performance.now() });
  if (memory.now === memory.to) return target;
  const part = Math.min((performance.now() - memory.start) / GLIDE, 1);
  const eased = 1 - (1 - part) ** 3;
  memory.now = part < 1 ? target.map((goal, i) => memory.from[i] + (goal - memory.from[i]) * eased) : target;
  memory.to = target;
  if (part < 1) again();
  return memory.now;
}

// --- the level ---------------------------------------------------------------------------------

function done(pen, { values, colour }, at) {
  const y = at.levelOf(values("tokens_n"));
  pen.rect(at.left - 8, y, at.room + 16, at.base - y, { fill: colour.weight, "fill-opacity": 0.07, r: 6 });
  pen.line(at.left - 8, y, at.left + at.room + 8, y, { stroke: colour.weight, width: 2.5 });
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function level(pen, scene, at) {
  const { values, before, text, colour, moved } = scene;
  const y = at.levelOf(values("tokens_n"));
  const x = at.narrow ? 24 : 42;
  const [top, foot] = [at.levelOf(at.last), at.base];
  // In a group of its own: what comes and goes here must not move the handle, which the pointer may hold.
  pen.group({ key: "axis" }, (its) => {
    its.line(x, top, x, foot, { stroke: colour.line, width: 4, "stroke-linecap": "round" });
    const near = (other) => Math.abs(other - y) < 26;
    if (!near(foot)) its.text(x, foot + 5, "0", { size: 13, fill: colour.quiet, anchor: "middle", halo: true });
    if (!near(top))
      its.text(x, top + 5, at.narrow ? `${at.last}` : `${at.last} merges`, {
        size: 13,
        fill: colour.quiet,
        anchor: "middle",
        halo: true,
      });
    if (!before || moved !== "tokens_n") return;
    const old = at.levelOf(before("tokens_n"));
    its.line(at.left - 8, old, at.left + at.room + 8, old, {
      key: "old",
      stroke: colour.quiet,
      width: 1.5,
      dash: "5 4",
    });
  });
  const handle = pen.group({ key: "level", class: "level" }, (its) => {
    its.line(x, y, at.left + at.room + 8, y, { stroke: "transparent", width: 20 });
    its.line(x, y, at.left - 8, y, { stroke: colour.weight, width: 2.5 });
    const number = text("tokens_n");
    const [wide, tall] = at.narrow ? [Math.max(32, textWidth(number, 15, true) + 12), 28] : [70, 40];
    its.rect(x - wide / 2, y - tall / 2, wide, tall, {
      r: tall / 2,
      fill: colour.background,
      stroke: colour.weight,
      line: 2.5,
    });
    its.text(x, y + (at.narrow ? 5 : 3), number, {
      size: at.narrow ? 15 : 18,
      bold: true,
      fill: colour.weight,
      anchor: "middle",
    });
    if (!at.narrow) its.text(x, y + 16, "merges", { size: 13, fill: colour.weight, anchor: "middle" });
  });
  grab(handle, (event, settled) => scene.move("tokens_n", nearest(at, pointIn(handle, event)), settled));
}

const pointIn = (node, event) =>
  new DOMPoint(event.clientX, event.clientY).matrixTransform(node.ownerSVGElement.getScreenCTM().inverse()).y;

function nearest(at, y) {
  let best = 0;
  for (let n = 0; n <= at.last; n++) if (Math.abs(at.levelOf(n) - y) < Math.abs(at.levelOf(best) - y)) best = n;
  return best;
}

function grab(node, move) {
  node.move = move;
  if (node.grabs) return;
  node.grabs = true;
  let held = false;
  node.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    node.setPointerCapture(event.pointerId);
    held = true;
  });
  node.addEventListener("pointermove", (event) => held && node.move(event, false));
  for (const kind of ["pointerup", "pointercancel"])
    node.addEventListener(kind, (event) => {
      if (held) node.move(event, true);
      held = false;
    });
}

// --- letters, nodes, tiles ---------------------------------------------------------------------

function letters(pen, { data, colour }, at) {
  const narrowest = Math.min(
    ...data.words.flatMap((word, w) => word.letters.map((_, i) => at.span(w, i, i + 1)[1] - at.span(w, i, i + 1)[0])),
  );
  const size = Math.min(20, Math.max(13, narrowest * 0.7));
  data.words.forEach((word, w) =>
    word.letters.forEach((letter, i) => {
      const [a, b] = at.span(w, i, i + 1);
      const wide = Math.min(b - a - 2, 44);
      const [middle, lost] = [(a + b) / 2, word.nodes[i][8] < 0 || word.nodes[i][0] === UNKNOWN];
      pen.rect(middle - wide / 2, at.base, wide, at.letter, {
        key: `${w} ${i}`,
        fill: colour.background,
        stroke: lost ? colour.gradient : colour.input,
        line: 1.5,
        dash: lost ? "3 2" : null,
        r: 6,
      });
      pen.text(middle, at.base + at.letter * 0.7, letter, {
        key: `${w} ${i}`,
        size,
        bold: lost,
        anchor: "middle",
        fill: lost ? colour.gradient : colour.ink,
      });
    }),
  );
}

function forest(pen, scene, at, n) {
  const { data, colour } = scene;
  data.words.forEach((word, w) => {
    const tops = topsAt(word, n);
    const there = below(word, tops)
      .map((i) => nodeAt(word, i))
      .filter((node) => node.first >= 0);
    const later = toCome(word, n);
    const next = Math.min(...later.map((node) => node.since));
    for (const node of later)
      joins(pen, word, w, node, at, { stroke: colour.quiet, width: 1.3, dash: "4 4", opacity: 0.75 });
    const up = there.flatMap((node) => ways(word, w, node, at));
    if (!scene.hidden("pieces")) up.push(...tops.map((i) => stem(w, nodeAt(word, i), at)));
    pen.path(up.join(""), { key: `done${w}`, stroke: colour.weight, width: 2.6 });
    if (w === data.named) pen.beads(up.join(""), colour.background, { key: `beads${w}`, width: 1.6 });
    for (const node of later) chip(pen, scene, w, node, at, node.since === next ? "next" : "later");
    for (const node of there) chip(pen, scene, w, node, at, node.merge === n ? "now" : "done");
  });
}

const topOf = (word, w, i, at) => {
  const node = nodeAt(word, i);
  return [at.centre(w, node), node.first < 0 ? at.base : at.height(w, node) - at.chip / 2];
};

// From each part up to the piece that they become.
function ways(word, w, node, at) {
  const [x, y] = [at.centre(w, node), at.height(w, node)];
  return [node.first, node.second].map((part) => {
    const [from, top] = topOf(word, w, part, at);
    return `M${round(from)} ${round(top)}V${round(y)}H${round(x)}`;
  });
}

function joins(pen, word, w, node, at, how) {
  pen.path(ways(word, w, node, at).join(""), { key: `later${w} ${node.i}`, ...how });
}

function stem(w, node, at) {
  const from = node.first < 0 ? at.base : at.height(w, node) - at.chip / 2;
  return `M${round(at.centre(w, node))} ${round(from)}V${round(at.tile.top + at.tile.height)}`;
}

const round = (value) => Math.round(value * 100) / 100;

// A merge: its number, the piece if there is room, and before it is done how often its pair occurs.
function chip(pen, { colour }, w, node, at, state) {
  const [a, b] = at.span(w, node.start, node.end);
  const [x, y] = [(a + b) / 2, at.height(w, node)];
  const made = state === "now" || state === "done";
  const size = at.chip < 18 ? 13 : 14;
  const number = `${node.merge}`;
  const more = made ? node.piece : `${node.count.toLocaleString("en")}×`;
  const [first, second] = [textWidth(number, size, true) + 10, textWidth(more, size, made) + 12];
  const roomy = first + second <= Math.max(b - a - 4, 0) && (made || state === "next");
  const wide = first + (roomy ? second : 0);
  const left = x - wide / 2;
  const edge = state === "next" ? colour.score : made ? colour.weight : colour.quiet;
  const key = `${w} ${node.i}`;
  pen.rect(left, y - at.chip / 2, wide, at.chip, {
    key,
    r: 6,
    fill: colour.background,
    stroke: edge,
    line: state === "now" ? 3 : 1.6,
    dash: made ? null : "4 3",
  });
  if (made) pen.rect(left, y - at.chip / 2, first, at.chip, { key: `number ${key}`, r: 6, fill: edge });
  const fill = made ? colour.background : edge;
  pen.text(left + first / 2, y + size * 0.36, number, {
    key: `number ${key}`,
    size,
    bold: true,
    anchor: "middle",
    fill,
  });
  if (roomy)
    pen.text(left + first + second / 2 - 1, y + size * 0.36, more, {
      key,
      size,
      bold: made,
      anchor: "middle",
      fill: made ? colour.ink : edge,
    });
}

function tiles(pen, scene, at, n) {
  const { data, colour, before, hidden } = scene;
  const { top, height } = at.tile;
  data.words.forEach((word, w) => {
    const asked = hidden("pieces");
    const [left, right] = at.span(w, 0, word.letters.length);
    const tops = topsAt(word, n).map((i) => nodeAt(word, i));
    count(pen, scene, at, w, tops, (left + right) / 2, right - left);
    if (asked) {
      pen.rect(left + 1, top, right - left - 2, height, {
        key: `asked${w}`,
        r: 10,
        stroke: colour.quiet,
        dash: "5 4",
        fill: colour.background,
      });
      return void pen.text((left + right) / 2, top + height / 2 + 9, "?", {
        key: `asked${w}`,
        size: 26,
        bold: true,
        anchor: "middle",
      });
    }
    for (const node of tops) tile(pen, scene, at, w, node, n);
    if (before)
      for (const i of topsAt(word, Math.round(before("tokens_n")))) {
        const old = nodeAt(word, i);
        if (tops.some((node) => node.i === i)) continue;
        const [a, b] = at.span(w, old.start, old.end);
        pen.rect(a + 3, top + 3, b - a - 6, height - 6, {
          key: `old${w} ${i}`,
          r: 8,
          stroke: colour.quiet,
          line: 1.2,
          dash: "4 3",
        });
      }
  });
}

function tile(pen, { data, colour }, at, w, node, n) {
  const { top, height } = at.tile;
  const [a, b] = at.span(w, node.start, node.end);
  const [middle, room] = [(a + b) / 2, b - a - 2];
  const lost = node.piece === UNKNOWN;
  const fresh = n > 0 && node.merge === n;
  const key = `${w} ${node.start}`;
  pen.rect(a + 1, top, room, height, {
    key,
    r: 10,
    fill: lost ? colour.background : colour.input,
    "fill-opacity": lost ? 1 : fresh ? 0.26 : 0.13,
    stroke: lost ? colour.gradient : colour.input,
    line: fresh || lost ? 3 : 1.8,
    dash: lost ? "6 4" : null,
  });
  const numbered = height > 40 && node.id >= 0;
  const size = Math.min(at.size, height * (height > 54 ? 0.5 : 0.44));
  const y = top + (numbered ? height * 0.42 + size * 0.28 : height / 2 + size * 0.35);
  const named = lost && w === data.named;
  pen.markedText(middle, y, cutText(node.piece, room - 2, size, true), named, {
    key,
    size,
    bold: true,
    anchor: "middle",
    fill: lost ? colour.gradient : colour.ink,
  });
  if (!numbered) return;
  const label = [`id ${node.id}`, `${node.id}`].find((each) => textWidth(each, 13) <= room - 2);
  if (label)
    pen.text(middle, top + height - 8, label, { key: `id ${key}`, size: 13, fill: colour.quiet, anchor: "middle" });
}

// How many pieces the word has; the sentence names that of one word.
function count(pen, { data, text, colour, hidden }, at, w, tops, x, room) {
  const named = w === data.named;
  if (tops[0].piece === UNKNOWN && tops.length === 1) return;
  const number = hidden("pieces") ? "?" : named ? text("pieces") : `${tops.length}`;
  const label =
    [`${number} ${number === "1" ? "piece" : "pieces"}`, number].find((each) => textWidth(each, 14, named) <= room) ??
    "";
  pen.markedText(x, at.tile.top - 9, label, named, {
    key: `count${w}`,
    size: named ? 15 : 14,
    bold: named,
    anchor: "middle",
    fill: named ? colour.ink : colour.quiet,
  });
}

// Where the words do not fit, two buttons move them.
function scrolling(pen, scene, at) {
  const { colour, memory } = scene;
  const by = (way) => () => {
    memory.scroll += way * at.room * 0.6;
    scene.again();
  };
  for (const [way, x, name, sign] of [
    [-1, at.left + 4, "Letters before", "‹"],
    [1, at.left + at.room - 4, "Letters after", "›"],
  ]) {
    const over = Number(way) < 0 ? memory.scroll <= 0 : memory.scroll >= at.furthest;
    if (over) continue;
    pen.button(
      String(name),
      by(way),
      (its) => {
        its.circle(Number(x), at.base - 26, 17, { fill: colour.background, stroke: colour.ink, line: 1.5 });
        its.text(Number(x), at.base - 19, String(sign), { size: 22, bold: true, anchor: "middle" });
      },
      { key: String(name) },
    );
  }
}

// --- what comes next ---------------------------------------------------------------------------

const worthOf = (data) => (data.by === "gain" ? data.gains : data.counts);
const saidOf = (data, at) =>
  data.by === "gain" ? formatNumber(data.gains[at]) : `${data.counts[at].toLocaleString("en")}×`;

function pairs(pen, { data, colour }, { left, right, top, low }, n) {
  const found = data.rivals[n];
  const title = found.length
    ? `Merge ${n + 1}: the ${data.by === "gain" ? "largest gain" : "most frequent pair"}`
    : "No pair is left to merge";
  pen.text(left, top + 14, title, { size: 15, bold: true, fill: colour.score, room: right - left });
  const row = low ? 25 : 30;
  const worth = worthOf(data);
  const [labels, numbers] = [118, 54];
  const across_ = scaleLinear([0, worth[n * data.most] || 1], [0, right - left - labels - numbers]);
  found.forEach(([first, second], i) => {
    const at = n * data.most + i;
    const y = top + 34 + i * row;
    const look = { size: 14, bold: !i, fill: i ? colour.quiet : colour.ink };
    pen.text(left + labels - 10, y + 5, `${first} ${second}`, {
      key: `pair${i}`,
      ...look,
      anchor: "end",
      room: labels - 10,
    });
    const wide = Math.max(across_(worth[at]), 2);
    pen.rect(left + labels, y - 9, wide, 18, {
      key: `bar${i}`,
      r: 3,
      fill: i ? colour.quiet : colour.score,
      "fill-opacity": i ? 0.5 : 1,
    });
    pen.text(left + labels + wide + 7, y + 5, saidOf(data, at), { key: `count${i}`, ...look });
  });
  const ties = found.length > 1 && worth[n * data.most] === worth[n * data.most + 1];
  if (ties)
    pen.text(right, top + 30 + found.length * row, "Ties: oldest pieces first", {
      size: 13,
      fill: colour.quiet,
      anchor: "end",
    });
}

function nextLine(pen, { data, colour, width, height }, at, n) {
  const [best] = data.rivals[n];
  const said = best ? `next: ${best[0]} ${best[1]}, ${saidOf(data, n * data.most)}` : "no pair is left to merge";
  pen.text(width - 12, height - 8, said, { size: 14, bold: true, fill: colour.score, anchor: "end", room: width - 20 });
}

// Tokens of the whole text after every number of merges; its point is a handle too.
function curve(pen, { data, values, before, colour }, { left, right, top, foot, low }) {
  const head = top + (low ? 182 : 218);
  const box = { left: left + 50, right: right - 6, top: head + 22, foot: foot - 20 };
  const last = data.curve.length - 1;
  const x = scaleLinear([0, Math.max(last, 1)], [box.left, box.right]).clamp(true);
  const y = scaleLinear([0, data.curve[0]], [box.foot, box.top]);
  pen.text(left, head, "Tokens of the whole text", { size: 15, bold: true, fill: colour.input });
  for (const tick of [0, data.total, data.curve[0]]) {
    if (tick === data.total && Math.min(y(0) - y(tick), y(tick) - box.top) < 16) continue;
    pen.line(box.left, y(tick), box.right, y(tick), {
      stroke: colour.line,
      width: 1,
      dash: tick === data.total ? "4 4" : null,
    });
    pen.text(box.left - 6, y(tick) + 5, tick.toLocaleString("en"), { size: 13, fill: colour.quiet, anchor: "end" });
  }
  if (y(0) - y(data.total) > 34) pen.text(box.left + 4, y(data.total) + 16, "words", { size: 13, fill: colour.quiet });
  pen.text(box.left, foot - 3, "0", { size: 13, fill: colour.quiet, anchor: "middle" });
  pen.text(box.right, foot - 3, `${last} merges`, { size: 13, fill: colour.quiet, anchor: "end" });
  const d = line(
    (/** @type {number} */ _, i) => x(i),
    (/** @type {number} */ tokens) => y(tokens),
  )([...data.curve]);
  pen.path(d, { stroke: colour.input, width: 2.5 });
  if (before)
    pen.circle(x(before("tokens_n")), y(before("tokens")), 6, {
      key: "old",
      fill: colour.background,
      stroke: colour.quiet,
      line: 1.5,
      dash: "3 2",
    });
  const [px, py] = [x(values("tokens_n")), y(values("tokens"))];
  pen.circle(px, py, 8, {
    key: "point",
    fill: colour.weight,
    stroke: colour.background,
    "data-n": "tokens_n",
    "data-way": "x",
    "data-per": (box.right - box.left) / Math.max(last, 1),
    style: "cursor: ew-resize; touch-action: none",
  });
  const flip = px > (box.left + box.right) / 2;
  pen.text(px + (flip ? -4 : 10), Math.max(py - 12, box.top + 4), Math.round(values("tokens")).toLocaleString("en"), {
    size: 16,
    bold: true,
    fill: colour.input,
    anchor: flip ? "end" : "start",
    halo: true,
  });
}
