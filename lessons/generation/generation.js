// The strategies side by side. At the left the first choice: p of each next token as a bar, and from the bar
// that a lane chooses a ribbon into the lane. In the lanes the texts grow word by word, each token in the
// colour of its p. Below, the other strategies as cards, each with what it leaves of the first choice.

import { mainPicture, still } from "../../ui/browser/main_picture.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { textWidth } from "../../ui/browser/pen.js";
import { fitted, scaleEnd, tail } from "./lane_places.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["generation"]} Data */

const DIM = 0.18;
const PACE = 130; // ms a token, while a text grows
const ROWS_EACH = 3; // sentences of a strategy: at rest, while its slider moves, and if its token is cut

/** @param {Component<Data>} component */
export default function generation(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const its = stateOf(scene);
    grow(pen, scene, its);
    pen.group({ tag: "defs" }, hatch);
    if (scene.narrow) tall(pen, scene, its);
    else wide(pen, scene, its);
    scene.tell(its.row);
  });
}

// Lines across what is cut.
function hatch(pen) {
  pen.group(
    { tag: "pattern", id: "cut", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    (its) => {
      its.line(0, 0, 0, 6, { stroke: its.colour.quiet, width: 2.4 });
    },
  );
}

/** @param {Scene<any, any>} scene */
function stateOf(scene) {
  const { data, moved, values, before, memory } = scene;
  const by = Object.fromEntries(data.strategies.map((each) => [each.name, each]));
  const lanes = data.lanes.map((name) => by[name]);
  const cards = data.strategies.filter((each) => !data.lanes.includes(each.name));
  const takes = (each) => moved !== null && before !== null && each.takes.includes(moved);
  // The bars show the lane that is looked at, else that of the number that the sentence names; while a slider
  // moves, a strategy that it changes.
  const looked = by[data.lane] ?? by[data.marked.replace(".total", "")] ?? lanes.at(-1);
  const focus = !moved || takes(looked) ? looked : ([...lanes, ...cards].find(takes) ?? looked);
  const cut = values(`${focus.name}.0`) === 0;
  const row = ROWS_EACH * data.strategies.indexOf(focus) + (takes(focus) ? (cut ? 2 : 1) : 0);
  const longest = Math.max(0, ...lanes.map((each) => each.chips.length));
  return {
    by,
    lanes,
    cards,
    focus,
    row,
    longest,
    moving: takes(focus),
    stale: takes,
    memory,
    marked: takes(focus) ? `${focus.name}.0` : data.marked,
  };
}

// Texts grow when they are new; by hand they go back and forth.
function grow(pen, scene, its) {
  const { memory } = scene;
  const texts = its.lanes.map((each) => each.chips.map((chip) => chip.text).join(" ")).join("\n") + scene.data.prompt;
  const now = performance.now();
  if (memory.texts !== texts) Object.assign(memory, { texts, start: still() ? -Infinity : now, step: null, page: {} });
  its.step = memory.step ?? Math.min(its.longest, Math.floor((now - memory.start) / PACE));
  const growing = memory.step === null && its.step < its.longest;
  const figure = pen.parent.closest(".figure");
  if (growing) {
    figure.dataset.running = "growing";
    scene.again();
  } else if (figure.dataset.running === "growing") delete figure.dataset.running;
  its.at = (each) => Math.min(its.step, each.chips.length);
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function part(pen, scene, name, how, opacity = 1) {
  const seen = scene.dim(name) ? DIM : opacity;
  pen.group({ key: name, opacity: seen < 1 ? seen : null }, how);
}

const short = (value) => formatNumber(Number(value.toPrecision(2)));

// log p of a text after the tokens that are there.
function total(scene, its, each) {
  const name = `${each.name}.total`;
  if (!each.written) return "";
  if (scene.hidden(name)) return "?";
  const at = its.at(each);
  return at === each.chips.length ? scene.text(name) : at ? formatNumber(each.sums[at - 1]) : "0";
}

// --- on a wide stage ------------------------------------------------------------------------------------

function wide(pen, scene, its) {
  const { width, height } = scene;
  const low = 98;
  const at = {
    left: 20,
    choice: 286,
    lanes: 340,
    right: width - 16,
    top: 12,
    foot: height - low - 22,
    cards: height - low - 10,
    low,
    rows: scene.data.rows.length + 1,
  };
  at.row = (at.foot - 92 - at.top - 36) / at.rows;
  at.y = (row) => at.top + 52 + (row + 0.5) * at.row;
  at.lane = (at.foot - at.top) / its.lanes.length;
  part(pen, scene, "first", (pen) => {
    ribbons(pen, scene, its, at);
    firstChoice(pen, scene, its, at);
  });
  part(pen, scene, "steps", (pen) => steps(pen, scene, its, at.left, at.foot - 26));
  its.lanes.forEach((each, i) =>
    part(pen, scene, each.name, (pen) =>
      lane(pen, scene, its, each, at.lanes, at.top + i * at.lane, at.right - at.lanes, at.lane - 8),
    ),
  );
  part(pen, scene, "cards", (pen) => {
    const gap = 8;
    const one = (at.right - at.left - gap * (its.cards.length - 1)) / its.cards.length;
    its.cards.forEach((each, i) => card(pen, scene, its, each, at.left + i * (one + gap), at.cards, one, at.low));
  });
}

function chosenRow(scene, its, each) {
  if (scene.hidden(`@${each.name}.chosen`)) return null;
  if (its.stale(each)) return scene.values(`@${each.name}.chosen`);
  return each.chips.length ? each.first : null;
}

// From the bar of the token that a lane begins with, into the lane; without a bar, from the others.
function ribbons(pen, scene, its, at) {
  const { colour } = scene;
  its.lanes.forEach((each, i) => {
    const row = chosenRow(scene, its, each);
    if (row === null) return;
    const y = at.y(row < 0 ? at.rows - 1 : row);
    const to = at.top + (i + 0.5) * at.lane - 4;
    const d = `M${at.choice} ${y}C${at.choice + 34} ${y} ${at.lanes - 34} ${to} ${at.lanes} ${to}`;
    const on = each === its.focus;
    pen.path(d, { key: `ribbon${i}`, stroke: colour.activation, width: 11, "stroke-opacity": on ? 0.45 : 0.22 });
    pen.beads(d, colour.activation, { key: `beads${i}` });
  });
}

function firstChoice(pen, scene, its, at) {
  const { data, colour, values, text, hidden } = scene;
  const { focus } = its;
  pen.text(
    at.left,
    at.top + 14,
    `${tail(data.prompt || "nothing yet", 228, 16, (each, size) => textWidth(each, size, true))} …`,
    { size: 16, bold: true, fill: colour.input },
  );
  pen.text(at.left, at.top + 36, headline(scene, its), {
    size: 14,
    fill: colour.quiet,
    room: at.choice - at.left + 30,
  });
  const p = data.rows.map((_, row) => values(`${focus.name}.${row}`));
  const model = data.rows.map((_, row) => values(`walk.${row}`));
  const end = scaleEnd(Math.max(...p, ...model, values(`${focus.name}.rest`)));
  const [left, whole] = [at.left + 92, 118];
  const bar = Math.min(22, at.row * 0.62);
  const picks = its.lanes.map((each) => chosenRow(scene, its, each));
  [...data.rows, `${data.others.toLocaleString("en")} others`].forEach((label, row) => {
    const rest = row === data.rows.length;
    const name = rest ? `${focus.name}.rest` : `${focus.name}.${row}`;
    const [now, was] = rest ? [values(name), values("walk.rest")] : [p[row], model[row]];
    const [y, gone] = [at.y(row), !rest && now === 0 && was > 0 && !hidden(name)];
    const picked = picks.includes(rest ? -1 : row);
    pen.group({ key: `row${row}` }, (pen) => {
      const word = pen.text(left - 8, y + 5, label, {
        size: rest ? 13 : 16,
        bold: picked && !rest,
        anchor: "end",
        room: 88,
        fill: gone || rest ? colour.quiet : colour.ink,
        "text-decoration": gone ? "line-through" : null,
      });
      word.style.opacity = "1";
      pen.rect(left, y - bar / 2, whole, bar, { r: 3, fill: colour.activation, "fill-opacity": 0.07 });
      const long = (value) => Math.min(whole, (whole * value) / end);
      if (gone)
        pen.rect(left, y - bar / 2, Math.max(long(was), 2), bar, {
          r: 3,
          fill: "url(#cut)",
          stroke: colour.quiet,
          line: 1,
        });
      else if (!hidden(name)) {
        if (now > 0)
          pen.rect(left, y - bar / 2, Math.max(long(now), 1.5), bar, {
            r: 3,
            fill: colour.activation,
            "fill-opacity": rest ? 0.45 : 1,
          });
        if (Math.abs(now - was) > 1e-6)
          pen.rect(left, y - bar / 2, Math.max(long(was), 1.5), bar, {
            r: 3,
            stroke: colour.ink,
            line: 1.2,
            dash: "3 3",
          });
      }
      pen.markedText(
        left + whole + 8,
        y + 5,
        gone ? "cut" : hidden(name) ? text(name) : now < 0.001 ? "≈ 0" : short(now),
        its.marked === name,
        { size: 15, bold: picked || its.marked === name, fill: gone ? colour.quiet : colour.ink },
      );
    });
  });
  cutHandle(pen, scene, its, at, { left, whole, end, most: Math.max(...model) });
  const foot = at.y(at.rows - 1) + at.row * 0.5 + 13;
  pen.text(left, foot, "0", { size: 13, fill: colour.quiet, anchor: "middle" });
  pen.text(left + whole, foot, `${end}`, { size: 13, fill: colour.quiet, anchor: "middle" });
  pen.text(left + whole / 2, foot, "p", { size: 13, fill: colour.quiet, anchor: "middle" });
}

// Where top-k and min-p cut, as a line that a hand moves: below the k-th bar, or at a share of the largest bar.
function cutHandle(pen, scene, { focus }, at, { left, whole, end, most }) {
  const { values, colour, hidden } = scene;
  if (hidden(`@${focus.name}.kept`)) return;
  const grip = (name, way, per, x1, y1, x2, y2) =>
    pen.group({ key: `cut ${name}`, "data-n": name, "data-per": per, "data-way": way }, (pen) => {
      pen.node("title", {}, "Drag it: it moves the cut");
      pen.line(x1, y1, x2, y2, { stroke: "transparent", width: 16 });
      pen.line(x1, y1, x2, y2, { stroke: colour.weight, width: 2.5, dash: "6 4" });
      pen.circle(x2, y2, 7, { fill: colour.background, stroke: colour.weight, line: 2.5 });
    });
  if (focus.name === "top_k" && values("top_k") >= 1 && values("top_k") < at.rows) {
    const y = at.y(Math.min(values("top_k"), at.rows - 1)) - at.row / 2;
    grip("top_k", "y", -at.row, left - 70, y, left + whole + 48, y);
  }
  if (focus.name === "min_p") {
    const x = left + Math.min(whole, (whole * values("min_p") * most) / end);
    grip("min_p", "x", Math.max((whole * most) / end, 1), x, at.y(0) - at.row / 2, x, at.y(at.rows - 2) + at.row / 2);
  }
}

// Whose distribution the bars show, and how much of it may be chosen.
function headline(scene, { focus }) {
  const { values, data, hidden } = scene;
  const kept = values(`@${focus.name}.kept`);
  if (!focus.takes.length) return "first choice: p under the model";
  const left = hidden(`@${focus.name}.kept`) ? "?" : kept.toLocaleString("en");
  return `first choice, ${focus.brief}: ${left} of ${data.types.toLocaleString("en")} kept`;
}

// Back one word, on one word, and from the beginning.
function steps(pen, scene, its, x, y) {
  const { memory, colour, again } = scene;
  const by = (change) => () => {
    memory.step = Math.min(Math.max((memory.step ?? its.step) + change, 0), its.longest);
    again();
  };
  const begin = () => {
    Object.assign(memory, { step: null, start: performance.now() });
    again();
  };
  const made = /** @type {[string, string, () => void, boolean, number][]} */ ([
    ["‹", "One word back", by(-1), its.step === 0, 34],
    ["›", "One word on", by(1), its.step >= its.longest, 34],
    ["write again", "Write the texts again, word by word", begin, its.longest === 0, 92],
  ]);
  for (const [sign, name, press, disabled, wide] of made) {
    pen.button(
      name,
      press,
      (pen) => {
        pen.node("title", {}, name);
        pen.rect(x, y, wide, 26, { r: 8, fill: colour.background, stroke: colour.line });
        pen.text(x + wide / 2, y + 18, sign, {
          size: wide < 40 ? 18 : 14,
          bold: true,
          anchor: "middle",
          fill: disabled ? colour.quiet : colour.ink,
        });
      },
      { key: name, disabled },
    );
    x += wide + 6;
  }
  pen.text(x + 4, y + 18, its.step < its.longest ? `word ${its.step} of ${its.longest}` : "", {
    size: 13,
    fill: colour.quiet,
  });
}

// --- a lane ------------------------------------------------------------------------------------------------

function lane(pen, scene, its, each, x, y, width, height) {
  const { colour, data, send } = scene;
  const looked = each.name === data.lane;
  const stale = its.stale(each);
  const side = 124;
  const [room, high] = [width - side - 28, height - 42];
  const paged = fittedIn(each, room, high).pages > 1;
  pen.button(
    `${each.label}: look at its first choice`,
    () => send({ lane: each.name }),
    (pen) => {
      pen.rect(x, y, width, height, {
        r: 12,
        fill: colour.background,
        stroke: looked ? colour.ink : colour.line,
        line: looked ? 2.5 : 1.5,
      });
      pen.text(x + 14, y + 23, each.label, { size: 17, bold: true });
      const from = x + 24 + textWidth(each.label, 17, true);
      const same = each.same ? `= the same text as ${each.same}` : each.how;
      pen.text(from, y + 23, stale ? "release the slider to write it again" : same, {
        size: 14,
        bold: Boolean(each.same),
        fill: each.same ? colour.ink : colour.quiet,
        room: x + width - from - (paged ? 144 : 90),
      });
      const count = `${each.chips.length} ${each.chips.length === 1 ? "token" : "tokens"}`;
      pen.text(x + width - 14 - (paged ? 54 : 0), y + 23, count, { size: 14, fill: colour.quiet, anchor: "end" });
    },
    { key: "lane", chosen: looked },
  );
  let part = null;
  pen.group(
    { key: "text", opacity: stale ? 0.35 : null, "pointer-events": "none" },
    (pen) => (part = chips(pen, scene, its, each, x + 14, y + 34, room, high)),
  );
  if (part) turn(pen, scene, each, part, x + width - 12, y + 23);
  pen.group({ key: "sum", opacity: stale ? 0.35 : null, "pointer-events": "none" }, (pen) =>
    sum(pen, scene, its, each, x + width - side, y + 34, side - 14, height - 34),
  );
}

const fittedIn = (each, room, height) =>
  fitted(
    each.chips.map((chip) => chip.text),
    room,
    height,
    textWidth,
  );

function chips(pen, scene, its, each, x, y, room, height) {
  const { colour, memory } = scene;
  if (!each.chips.length) {
    pen.text(x, y + 18, "no token", { size: 15, fill: colour.quiet });
    return null;
  }
  const { how, places, rows, pages } = fittedIn(each, room, height);
  const at = its.at(each);
  const here =
    its.step < its.longest ? Math.floor((places[Math.max(0, at - 1)]?.row ?? 0) / rows) : (memory.page[each.name] ?? 0);
  const page = Math.min(here, pages - 1);
  each.chips.forEach((chip, k) => {
    const place = places[k];
    const row = place.row - page * rows;
    if (row < 0 || row >= rows) return;
    pen.group({ key: `token${k}`, opacity: k < at ? null : 0 }, (pen) => {
      const [left, top] = [x + place.x, y + row * (how.high + how.gap)];
      pen.node("title", {}, `p = ${formatNumber(chip.p)}${chip.wrong ? "; the grammar excludes this" : ""}`);
      pen.rect(left, top, place.width, how.high, { r: 5, fill: chip.fill });
      pen.text(left + place.width / 2, top + how.high / 2 + how.size * 0.34, chip.text, {
        size: how.size,
        anchor: "middle",
        fill: chip.ink,
        room: place.width - 4,
      });
      if (chip.wrong)
        pen.line(left + 3, top + how.high - 1, left + place.width - 3, top + how.high - 1, {
          stroke: colour.gradient,
          width: 3,
          dash: "3 2",
        });
    });
  });
  return pages < 2 ? null : { page, pages };
}

// Which part of a text that is too long is shown; pressed, it shows the next one.
function turn(pen, scene, each, { page, pages }, x, y) {
  const { memory, again, colour } = scene;
  const next = (page + 1) % pages;
  pen.button(
    `${each.label}: part ${next + 1} of ${pages} of its text`,
    () => {
      memory.page[each.name] = next;
      again();
    },
    (pen) => {
      pen.rect(x - 46, y - 16, 46, 22, { r: 7, fill: colour.background, stroke: colour.line });
      pen.text(x - 23, y, `${page + 1}/${pages} ›`, { size: 13, bold: true, anchor: "middle" });
    },
    { key: "page" },
  );
}

function sum(pen, scene, its, each, x, y, width, height) {
  const { colour, hidden } = scene;
  const name = `${each.name}.total`;
  const shown = total(scene, its, each);
  const right = x + width;
  const size = shown.length > 7 ? 18 : 20;
  pen.text(x, y + 18, "log p", { size: 14, fill: colour.quiet });
  pen.markedText(right, y + 19, shown, its.marked === name && !hidden(name), {
    size,
    bold: true,
    anchor: "end",
    fill: colour.activation,
  });
  const most = Math.max(1, ...its.lanes.map((one) => Math.abs(one.sums.at(-1) ?? 0)).filter(Number.isFinite));
  const now = Math.abs(each.sums[its.at(each) - 1] ?? 0);
  pen.rect(x, y + 27, width, 6, { r: 3, fill: colour.activation, "fill-opacity": 0.12 });
  if (!hidden(name) && Number.isFinite(now))
    pen.rect(x, y + 27, (width * now) / most, 6, { r: 3, fill: colour.activation });
  if (each.perplexity && height > 56)
    pen.text(right, y + 50, hidden(name) || hidden("perplexity") ? "perplexity ?" : `perplexity ${each.perplexity}`, {
      size: 13,
      fill: colour.quiet,
      anchor: "end",
      room: width,
    });
  if (height > 74)
    pen.text(right, y + 67, each.wrong ? `✕ ${each.note}` : each.note, {
      size: 13,
      bold: each.wrong,
      fill: each.wrong ? colour.gradient : colour.quiet,
      anchor: "end",
      room: width,
    });
}

// --- a card ------------------------------------------------------------------------------------------------

function card(pen, scene, its, each, x, y, width, height) {
  const { colour, send, hidden } = scene;
  const stale = its.stale(each);
  pen.button(
    `${each.label}: ${each.how}. Put it in a lane`,
    () => send({ promote: each.name }),
    (pen) => {
      pen.node("title", {}, `${each.label}: ${each.how}`);
      pen.rect(x, y, width, height, {
        r: 9,
        fill: each.same ? colour.ground : colour.background,
        stroke: each === its.focus ? colour.ink : colour.line,
        line: each === its.focus ? 2.5 : 1.5,
      });
      pen.text(x + 9, y + 19, each.brief, { size: 14, bold: true, room: width - 36 });
      pen.text(x + width - 8, y + 19, "↑", { size: 14, anchor: "end", fill: colour.quiet });
      thumbnail(pen, scene, each, x + 9, y + 27, width - 18, 28);
      if (stale) return pen.text(x + 9, y + 74, "release to write", { size: 13, fill: colour.quiet, room: width - 16 });
      const log = each.written
        ? `log p ${hidden(`${each.name}.total`) ? "?" : scene.text(`${each.name}.total`)}`
        : "not written yet";
      pen.text(x + 9, y + 73, log, {
        size: 13,
        bold: each.written,
        fill: each.written ? colour.activation : colour.quiet,
        room: width - 16,
      });
      const says = each.same ? `= ${each.same}` : each.differs ? `differs: ${each.differs}` : each.note;
      pen.text(x + 9, y + 90, each.written ? says : "press to write", {
        size: 13,
        fill: each.same ? colour.ink : colour.quiet,
        room: width - 16,
      });
    },
    { key: each.name },
  );
}

// What a strategy leaves of the first choice: a column a token, hatched where it is cut.
function thumbnail(pen, scene, each, x, y, width, height) {
  const { data, colour, values, hidden } = scene;
  const count = data.rows.length;
  const one = width / count;
  if (hidden(`@${each.name}.kept`))
    return pen.text(x + width / 2, y + 21, "?", { size: 20, bold: true, anchor: "middle" });
  const p = data.rows.map((_, row) => values(`${each.name}.${row}`));
  const most = Math.max(...p, ...data.rows.map((_, row) => values(`walk.${row}`)), 1e-9);
  const chosen = values(`@${each.name}.chosen`);
  data.rows.forEach((_, row) => {
    const was = values(`walk.${row}`);
    const gone = p[row] === 0 && was > 0;
    const high = Math.max((height * (gone ? was : p[row])) / most, 1.5);
    const left = x + row * one + 1.5;
    pen.rect(left, y + height - high, one - 3, high, {
      key: `bar${row}`,
      r: 1.5,
      fill: gone ? "url(#cut)" : colour.activation,
      "fill-opacity": gone || row === chosen || chosen < 0 ? 1 : 0.45,
      stroke: gone ? colour.quiet : null,
      line: gone ? 0.8 : null,
    });
  });
  pen.line(x, y + height + 0.5, x + width, y + height + 0.5, { key: "base", stroke: colour.quiet, width: 1 });
}

// --- on a phone ----------------------------------------------------------------------------------------------

function tall(pen, scene, its) {
  const { width, height, data, colour, values, hidden } = scene;
  const { focus } = its;
  const [left, right] = [10, width - 10];
  const count = Math.max(3, Math.min(data.rows.length, Math.floor((height - 270) / 20)));
  part(pen, scene, "first", (pen) => {
    pen.text(
      left,
      17,
      `${tail(data.prompt || "nothing yet", right - left - 30, 15, (each, size) => textWidth(each, size, true))} …`,
      { size: 15, bold: true, fill: colour.input },
    );
    const p = data.rows.map((_, row) => values(`${focus.name}.${row}`));
    const end = scaleEnd(Math.max(...p, ...data.rows.map((_, row) => values(`walk.${row}`))));
    const [from, whole] = [left + 84, right - left - 84 - 100];
    data.rows.slice(0, count).forEach((label, row) => {
      const name = `${focus.name}.${row}`;
      const [y, now, was] = [24 + row * 20, p[row], values(`walk.${row}`)];
      const gone = now === 0 && was > 0 && !hidden(name);
      const who = its.lanes
        .filter((each) => chosenRow(scene, its, each) === row)
        .map((each) => each.brief)
        .join(", ");
      pen.group({ key: `row${row}` }, (pen) => {
        pen.text(from - 6, y + 14, label, {
          size: 14,
          bold: Boolean(who),
          anchor: "end",
          room: 78,
          fill: gone ? colour.quiet : colour.ink,
          "text-decoration": gone ? "line-through" : null,
        });
        pen.rect(from, y + 3, whole, 14, { r: 3, fill: colour.activation, "fill-opacity": 0.07 });
        if (!hidden(name))
          pen.rect(from, y + 3, Math.max(2, (whole * Math.min(end, gone ? was : now)) / end), 14, {
            r: 3,
            fill: gone ? "url(#cut)" : colour.activation,
            stroke: gone ? colour.quiet : null,
            line: gone ? 1 : null,
          });
        const number = gone ? "cut" : hidden(name) ? "?" : now < 0.001 ? "≈ 0" : short(now);
        pen.markedText(from + whole + 6, y + 14, number, its.marked === name, { size: 14, bold: Boolean(who) });
        if (who) pen.text(right, y + 14, `▸ ${who}`, { size: 13, anchor: "end", fill: colour.activation, room: 56 });
      });
    });
  });
  const top = 30 + count * 20;
  const low = 62;
  const one = (height - top - low) / its.lanes.length;
  its.lanes.forEach((each, i) =>
    part(pen, scene, each.name, (pen) => slim(pen, scene, its, each, left, top + i * one, right - left, one - 5)),
  );
  part(pen, scene, "cards", (pen) => {
    const across = Math.ceil(its.cards.length / 2);
    const wide = (right - left + 6) / across;
    its.cards.forEach((each, i) => {
      const [x, y] = [left + (i % across) * wide, height - low + 2 + Math.floor(i / across) * 29];
      pen.button(
        `${each.label}: ${each.how}. Put it in a lane`,
        () => scene.send({ promote: each.name }),
        (pen) => {
          pen.rect(x, y, wide - 6, 25, {
            r: 7,
            fill: each.same ? colour.ground : colour.background,
            stroke: each === focus ? colour.ink : colour.line,
          });
          pen.text(x + (wide - 6) / 2, y + 17, each.brief, { size: 13, anchor: "middle", room: wide - 12 });
        },
        { key: each.name },
      );
    });
  });
}

function slim(pen, scene, its, each, x, y, width, height) {
  const { colour, data, send, hidden } = scene;
  const looked = each.name === data.lane;
  const stale = its.stale(each);
  const name = `${each.name}.total`;
  pen.button(
    `${each.label}: look at its first choice`,
    () => send({ lane: each.name }),
    (pen) => {
      pen.rect(x, y, width, height, {
        r: 9,
        fill: colour.background,
        stroke: looked ? colour.ink : colour.line,
        line: looked ? 2 : 1.5,
      });
      pen.text(x + 10, y + 19, each.label, { size: 15, bold: true });
      const from = x + 18 + textWidth(each.label, 15, true);
      if (each.same || stale)
        pen.text(from, y + 19, stale ? "release" : `= ${each.same}`, {
          size: 13,
          fill: colour.quiet,
          room: x + width - 174 - from,
        });
      pen.text(x + width - 76, y + 19, "log p", { size: 13, fill: colour.quiet, anchor: "end" });
      pen.markedText(x + width - 10, y + 19, total(scene, its, each), its.marked === name && !hidden(name), {
        size: 16,
        bold: true,
        anchor: "end",
        fill: colour.activation,
      });
    },
    { key: "lane", chosen: looked },
  );
  let part = null;
  pen.group(
    { key: "text", opacity: stale ? 0.35 : null, "pointer-events": "none" },
    (pen) => (part = chips(pen, scene, its, each, x + 10, y + 27, width - 20, height - 31)),
  );
  if (part) turn(pen, scene, each, part, x + width - 124, y + 19);
}
