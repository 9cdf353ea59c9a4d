// A computation graph: each node has its value above and its gradient below, each edge its local derivative.
// Step by step, values ride forward and gradients ride back.

import { mainPicture, still } from "../../ui/browser/main_picture.js";
import { cutText, textWidth } from "../../ui/browser/pen.js";
import { fillText } from "../../ui/browser/rich.js";
import { arrange } from "./graph_layout.js";
import { go, lastOf, pause, play, reached, ridden, take } from "./walk.js";

/** @import { Component, GraphNode, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["graph"]} Data */

const LEAST = 13; // the smallest type
const NAMED = /==\{([^{}]+)\}==/; // the number that a sentence marks

/** @param {Component<Data>} component */
export default function graph(component) {
  /** @type {any} */
  let memory = null;
  const stop = mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    memory = scene.memory;
    draw(pen, scene);
  });
  return () => {
    if (memory) pause(memory, true);
    stop();
  };
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function draw(pen, scene) {
  const { width, height, narrow, memory } = scene;
  memory.still = still;
  take(memory, scene);
  const bar = narrow ? 48 : 50;
  const room = { width, height: height - bar, narrow };
  const plan = planned(memory, scene.data, room);
  const state = { ...reached(scene.data, memory.at), part: ridden(memory) };
  const its = {
    ...state,
    plan,
    room,
    view: seenPart(memory, plan, room, state, namedNode(scene.data)),
    texts: textsOf(scene),
  };
  scene.tell(memory.at, state.done);
  surface(pen, scene, its);
  pen.group({ key: "graph", transform: `translate(${-its.view.x} ${-its.view.y})` }, (graph) => {
    scene.data.edges.forEach((edge, i) => drawEdge(graph, scene, its, edge, i));
    scene.data.edges.forEach((edge, i) => drawLocal(graph, scene, its, edge, i));
    for (const node of scene.data.nodes) drawNode(graph, scene, its, node);
    if (state.part < 1) scene.data.edges.forEach((edge, i) => drawRider(graph, scene, its, edge, i));
  });
  scrollBars(pen, scene, its);
  toolbar(pen, scene, its, height - bar, bar);
  if (state.part < 1) scene.again();
}

function planned(memory, data, room) {
  const size = `${room.width} ${room.height}`;
  if (memory.plannedFor !== data || memory.plannedSize !== size) {
    Object.assign(memory, { plan: arrange(data, room), plannedFor: data, plannedSize: size });
  }
  return memory.plan;
}

// Texts of the graph with their numbers, those that are to be predicted as "?"; with two digits; as they were before.
function textsOf({ values, before, hidden }) {
  const print = (values) => (template) => fillText(template, (name) => (hidden(name) ? "?" : values(name)));
  const rounded = (name) => Number(values(name).toPrecision(2));
  return { now: print(values), few: print(rounded), before: before ? print(before) : null };
}

// --- edges --------------------------------------------------------------------------------------

const keyOf = (edge) => `${edge.to}.${edge.position}`;

function drawEdge(pen, scene, its, edge, i) {
  const { colour, values, hidden } = scene;
  const { path, start, end, angle } = its.plan.routes[i];
  const key = keyOf(edge);
  const active = its.active.has(key);
  const back = its.now?.kind === "backward";
  const passed = its.passed.has(key);
  const share = edge.size && !hidden(edge.size) ? Math.abs(values(edge.size)) / largest(scene) : 0;
  const width = active ? 5 : its.done ? 1.5 + 6 * Math.min(share, 1) : 1.8;
  const lit = active
    ? back
      ? colour.gradient
      : colour.activation
    : passed
      ? colour.gradient
      : its.values.has(edge.to)
        ? colour.quiet
        : colour.line;
  pen.path(path, {
    key: `e${key}`,
    stroke: lit,
    width,
    "stroke-opacity": passed && !active && !its.done ? 0.6 : null,
    "stroke-linejoin": "round",
  });
  const returns = passed && (active || its.done);
  if (returns) tip(pen, start[0] + (angle ? 0 : 1), start[1] + (angle ? 1 : 0), angle + 180, lit, `h${key}`);
  else tip(pen, end[0] + (angle ? 0 : TIP), end[1] + (angle ? TIP : 0), angle, lit, `h${key}`);
  if (active || (its.done && width > 2.5)) {
    pen.beads(path, colour.background, { key: `b${key}`, width: 2.4, class: returns ? "beads back" : "beads" });
  }
}

const TIP = 5;

function tip(pen, x, y, angle, fill, key) {
  pen.group({ key, transform: `translate(${x} ${y}) rotate(${angle})` }, (its) => its.head(0, 0, 0, fill, 11));
}

const largest = ({ data, values, hidden }) =>
  Math.max(
    1e-300,
    ...data.nodes
      .flatMap((node) => node.sizes.filter((name) => !hidden(name)).map((name) => Math.abs(values(name))))
      .filter(Number.isFinite),
  );

function drawLocal(pen, scene, its, edge, i) {
  const { colour } = scene;
  if (!its.values.has(edge.to) || !edge.local) return;
  if (its.now?.kind === "forward" && its.active.has(keyOf(edge)) && its.part < 1) return;
  const { label, start, end, angle } = its.plan.routes[i];
  const gap = Math.max(angle ? 110 : Math.abs(end[0] - start[0]) + 6, 46);
  const large = Math.min(LEAST * its.plan.s, 17);
  const whole = its.texts.now(edge.local);
  const few = its.texts.few(edge.local).replace(/^× \(?([^()]*)\)?$/, "$1");
  const [text, size, pad] = [
    [whole, large, 12],
    [whole, LEAST, 10],
    [few, LEAST, 6],
  ].find(([text, size, pad]) => textWidth(text, size, true) + pad <= gap) ?? [
    cutText(few, gap - 6, LEAST, true),
    LEAST,
    6,
  ];
  const width = textWidth(text, size, true) + pad;
  const [x, y] = label;
  if (!isInside(its, x - width / 2, y - size, width, size * 2)) return;
  const active = its.active.has(keyOf(edge)) && its.now.kind === "backward";
  pen.rect(x - width / 2, y - size * 0.8, width, size * 1.6, {
    key: `r${keyOf(edge)}`,
    r: size * 0.8,
    fill: colour.background,
    stroke: colour.gradient,
    line: active ? 2.5 : 1,
    "stroke-opacity": active ? 1 : 0.4,
  });
  pen.text(x, y + size * 0.36, text, {
    key: `l${keyOf(edge)}`,
    size,
    bold: true,
    fill: colour.gradient,
    anchor: "middle",
  });
}

// A number on its way: forward the operand, back first what arrives from above and, past the local derivative,
// what is passed down.
function drawRider(pen, scene, its, edge, i) {
  const { colour, data } = scene;
  if (!its.active.has(keyOf(edge))) return;
  const back = its.now.kind === "backward";
  const way = pen.nodes.get(`path:e${keyOf(edge)}`);
  const length = way.getTotalLength();
  const eased = its.part * its.part * (3 - 2 * its.part);
  const at = way.getPointAtLength(length * (back ? 1 - eased : eased));
  const template = back
    ? eased < 0.45
      ? edge.upstream
      : edge.passed
    : data.nodes.find((node) => node.id === edge.from).value;
  const size = Math.min(15 * its.plan.s, 20);
  const text = cutText(its.texts.now(template), 130, size, true);
  const width = textWidth(text, size, true) + 18;
  if (!isInside(its, at.x - width / 2, at.y - size, width, size * 2)) return;
  const role = back ? colour.gradient : colour.activation;
  pen.rect(at.x - width / 2, at.y - size * 0.85, width, size * 1.7, { key: `ride${i}`, r: size * 0.85, fill: role });
  pen.text(at.x, at.y + size * 0.36, text, {
    key: `rider${i}`,
    size,
    bold: true,
    fill: colour.background,
    anchor: "middle",
  });
}

// --- nodes --------------------------------------------------------------------------------------

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 * @param {any} its
 * @param {GraphNode} node
 */
function drawNode(pen, scene, its, node) {
  const { colour, data, moved } = scene;
  const { s } = its.plan;
  const box = its.plan.boxes.get(node.id);
  const here = Boolean(its.now?.nodes.includes(node.id));
  const arriving = here && its.part < 1;
  const valued = its.values.has(node.id) && !(arriving && its.now.kind === "forward");
  const graded = its.gradients.has(node.id) && !(arriving && its.now.kind === "backward");
  const role = node.id === data.result ? colour.loss : node.leaf ? colour.input : colour.activation;
  const handle = node.handle && valued ? { "data-n": node.handle, "data-per": 60, "data-way": "x" } : {};
  pen.group({ key: `n${node.id}`, class: "node", ...handle }, (draw) => {
    const r = node.leaf ? Math.min(box.height * 0.42, 46) : 10;
    draw.rect(box.left, box.top, box.width, box.height, {
      r,
      fill: colour.background,
      stroke: valued ? role : colour.quiet,
      line: here || (moved && moved === node.handle) ? 4 : 1.8,
      dash: valued ? null : "5 4",
    });
    if (!isInside(its, box.left, box.top, box.width, box.height)) return;
    const room = box.width - (node.leaf ? 26 : 14);
    fitted(draw, box.x, box.top + 15 * s, title(node), {
      size: LEAST * s,
      room,
      fill: valued ? role : colour.quiet,
      bold: true,
    });
    if (valued)
      number(draw, scene, its, node.value, box, {
        key: "value",
        y: box.top + 33.5 * s,
        size: 17 * s,
        room: room - (node.handle ? 22 * s : 0),
        fill: colour.ink,
        marked: marksValue(scene, its, node),
      });
    if (valued && node.handle) chevrons(draw, box, box.top + 28 * s, s, colour.input);
    if (graded) {
      draw.line(box.left + r * 0.45, box.top + 39 * s, box.right - r * 0.45, box.top + 39 * s, {
        stroke: colour.line,
        width: 1,
      });
      const [size, wide] = [LEAST * s, box.width - 12];
      const fits = ([print, text]) => textWidth(print(text), LEAST, true) <= wide;
      const long = `${node.slope}${node.gradient}`;
      const named = textWidth(its.texts.now(long), size, true) <= wide ? long : `∂ ${node.gradient}`;
      const [print, text] = [
        [its.texts.now, named],
        [its.texts.few, named],
        [its.texts.few, node.gradient],
      ].find(fits) ?? [its.texts.now, named];
      number(draw, scene, { ...its, texts: { ...its.texts, now: print } }, text, box, {
        key: "gradient",
        y: box.top + 51 * s,
        size,
        room: wide,
        fill: colour.gradient,
        marked: marksGradient(scene, its, node),
      });
      gauge(draw, scene, node, box, r, s);
    }
    draw.node("title", {}, valued && graded ? its.texts.now(node.whole) : title(node));
  });
}

const title = (node) =>
  node.formula ? `${node.name} = ${node.formula}` : node.shape ? `${node.name}: ${node.shape}` : node.name;

// The number that the sentence names: of a step its result, at the end what the finding marks, or what a hand moves.
function marksValue({ moved, before }, its, node) {
  if (its.done) return Boolean(before && moved === node.handle && moved);
  return its.now?.kind === "forward" && its.now.nodes.includes(node.id) && !node.leaf;
}

function marksGradient({ data, before }, its, node) {
  if (its.done) return !before && NAMED.test(data.sentences.at(-1)) && node.id === namedNode(data);
  return its.now?.kind === "backward" && its.now.nodes.includes(node.id);
}

// A number; while a hand moves a slider, with what it was before, where there is room.
function number(pen, scene, its, template, box, { key, y, size, room, fill, marked }) {
  const { colour } = scene;
  const now = its.texts.now(template);
  const was = its.texts.before?.(template);
  if (was !== undefined && was !== now) {
    const old = Math.max(size * 0.72, LEAST);
    const arrow = `${was} → `;
    const [left, right] = [textWidth(arrow, old), textWidth(now, size, true)];
    if (left + right + 8 <= room) {
      const x = box.x - (left + right) / 2;
      pen.text(x, y, arrow, { key: `${key} was`, size: old, fill: colour.quiet });
      pen.markedText(x + left, y, now, marked, { key, size, bold: true, fill });
      return;
    }
    pen.rect(box.left - 4, box.top - 4, box.width + 8, box.height + 8, {
      key: `${key} old`,
      r: 14,
      stroke: colour.quiet,
      line: 1.2,
      dash: "4 3",
    });
  }
  fitted(pen, box.x, y, now, { size, room, fill, bold: true, marked, key });
}

// A text in its room: smaller if need be, and cut where that is not enough.
function fitted(pen, x, y, text, { size, room, fill, bold = false, marked = false, key = null }) {
  const wide = textWidth(text, size, bold);
  const fits = wide > room ? Math.max((size * room) / wide, LEAST) : size;
  pen.markedText(x, y, cutText(text, room, fits, bold), marked, { key, size: fits, bold, fill, anchor: "middle" });
}

function chevrons(pen, box, y, s, stroke) {
  const [left, right, d] = [box.left + 11 * s, box.right - 11 * s, 4 * s];
  pen.path(`M${left} ${y - d}l${-d} ${d}l${d} ${d}M${right} ${y - d}l${d} ${d}l${-d} ${d}`, {
    key: "chevrons",
    stroke,
    width: 1.8,
    "stroke-opacity": 0.7,
  });
}

// How large a gradient is, beside the largest one in the graph.
function gauge(pen, scene, node, box, r, s) {
  const { values, hidden, colour } = scene;
  if (node.sizes.some(hidden)) return;
  const share = Math.min(Math.max(...node.sizes.map((name) => Math.abs(values(name)))) / largest(scene), 1);
  const whole = box.width - 2 * Math.max(r * 0.8, 10);
  const width = Number.isFinite(share) ? whole * share : whole;
  if (width > 0)
    pen.rect(box.x - width / 2, box.foot - 4.2 * s, width, 2.2 * s, {
      key: "gauge",
      r: 1.1 * s,
      fill: colour.gradient,
      "fill-opacity": 0.75,
    });
}

// The node whose gradient the finding names, or the result.
const namedNode = ({ nodes, sentences, result }) =>
  nodes.find((node) => node.sizes.includes(NAMED.exec(sentences.at(-1))?.[1]))?.id ?? result;

// --- what is seen of a large graph --------------------------------------------------------------

const isInside = ({ view, room }, x, y, width, height) =>
  x >= view.x - 0.5 &&
  y >= view.y - 0.5 &&
  x + width <= view.x + room.width + 0.5 &&
  y + height <= view.y + room.height + 0.5;

const isLarger = (plan, room) => plan.width > room.width + 1 || plan.height > room.height + 1;

// The part of a graph that is too large for its room: it follows the step, and the hand.
function seenPart(memory, plan, room, state, named) {
  if (!isLarger(plan, room)) return (memory.view = { x: 0, y: 0 });
  const clamp = ({ x, y }) => ({
    x: Math.min(Math.max(x, 0), plan.width - room.width),
    y: Math.min(Math.max(y, 0), plan.height - room.height),
  });
  memory.view = clamp(memory.view ?? { x: 0, y: 0 });
  const turn = `${memory.at} ${plan.width} ${plan.height} ${room.width} ${room.height}`;
  if (memory.followed !== turn) {
    memory.followed = turn;
    memory.to = clamp(towards(memory.view, plan, room, state, named));
    if (still()) memory.view = memory.to;
  }
  if (memory.to) {
    const [dx, dy] = [memory.to.x - memory.view.x, memory.to.y - memory.view.y];
    const near = Math.abs(dx) + Math.abs(dy) < 1;
    memory.view = near ? memory.to : { x: memory.view.x + dx * 0.2, y: memory.view.y + dy * 0.2 };
    if (near) memory.to = null;
    else memory.scene.again();
  }
  return memory.view;
}

// The least move after which the nodes of a step are seen.
function towards(view, plan, room, { now, done }, named) {
  const box = plan.boxes.get(now ? now.nodes[0] : done ? named : plan.boxes.keys().next().value);
  const margin = { x: Math.min(room.width / 5, 120), y: Math.min(room.height / 5, 90) };
  const move = (from, low, high, length, margin) => Math.min(Math.max(from, high + margin - length), low - margin);
  return {
    x: move(view.x, box.left, box.right, room.width, margin.x),
    y: move(view.y, box.top, box.foot, room.height, margin.y),
  };
}

// What is dragged, turned with the wheel or moved with the arrow keys to see another part.
function surface(pen, scene, { plan, room, view }) {
  const { memory } = scene;
  const larger = isLarger(plan, room);
  const by = (dx, dy) => {
    memory.to = null;
    memory.view = { x: memory.view.x + dx, y: memory.view.y + dy };
    scene.again();
  };
  const svg = /** @type {any} */ (pen.parent);
  svg.onwheel = larger
    ? (event) => {
        event.preventDefault();
        by(event.deltaX, event.deltaY);
      }
    : null;
  if (!larger) return;
  const node = pen.rect(0, 0, room.width, room.height, {
    key: "surface",
    r: 0,
    fill: scene.colour.background,
    "fill-opacity": 0,
    tabindex: 0,
    role: "region",
    "data-arrows": "",
    style: "touch-action: none; cursor: grab",
    "aria-label": "A part of the graph; drag, or use the arrow keys, to see the rest",
    class: "press",
  });
  const unit = svg.getBoundingClientRect().width / room.width || 1;
  node.onpointerdown = (event) => {
    memory.grip = [event.clientX, event.clientY];
    node.setPointerCapture(event.pointerId);
  };
  node.onpointermove = (event) => {
    if (!memory.grip) return;
    by((memory.grip[0] - event.clientX) / unit, (memory.grip[1] - event.clientY) / unit);
    memory.grip = [event.clientX, event.clientY];
  };
  node.onpointerup = node.onpointercancel = () => (memory.grip = null);
  node.onkeydown = (event) => {
    const way = { ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60] }[event.key];
    if (!way) return;
    event.preventDefault();
    by(way[0], way[1]);
  };
}

function scrollBars(pen, scene, { plan, room, view }) {
  if (!isLarger(plan, room)) return;
  const { colour } = scene;
  const bar = (key, x, y, width, height, fill) => pen.rect(x, y, width, height, { key, r: 3, fill });
  if (plan.height > room.height + 1) {
    const [length, from] = [(room.height * room.height) / plan.height, (room.height * view.y) / plan.height];
    bar("down", room.width - 9, 2, 6, room.height - 4, colour.line);
    bar("downThumb", room.width - 9, from + 2, 6, length - 4, colour.quiet);
  }
  if (plan.width > room.width + 1) {
    const [length, from] = [(room.width * room.width) / plan.width, (room.width * view.x) / plan.width];
    bar("across", 2, room.height - 9, room.width - 4, 6, colour.line);
    bar("acrossThumb", from + 2, room.height - 9, length - 4, 6, colour.quiet);
  }
}

// --- the buttons and the track of steps ---------------------------------------------------------

function toolbar(pen, scene, its, top, height) {
  const { width, narrow, colour, data, memory } = scene;
  const last = lastOf(data);
  const { at } = memory;
  pen.rect(0, top, width, height, { key: "bar", r: 0, fill: colour.background });
  pen.line(0, top, width, top, { key: "rule", stroke: colour.line, width: 1 });
  /** @type {[label: string, help: string, pressed: () => void, disabled: boolean][]} */
  const buttons = [
    ["Reset", "No number is computed", () => go(memory, 0), at === 0],
    ["Back", "One step back", () => go(memory, at - 1), at === 0],
    ["Step", "Compute the next number", () => go(memory, at + 1), at === last],
    [
      memory.timer ? "Pause" : "Play",
      memory.timer ? "Stop here" : "Play the steps",
      () => (memory.timer ? pause(memory) : play(memory)),
      false,
    ],
    ["End", "Show every number", () => go(memory, last), at === last],
  ];
  const size = narrow ? 13 : 15;
  const [pad, gap] = narrow ? [9, 5] : [14, 8];
  const [y, tall] = [top + height / 2, narrow ? 36 : 34];
  let x = narrow ? 8 : 20;
  for (const [label, help, pressed, disabled] of buttons) {
    const first = label === "Step";
    const wide =
      textWidth(label === "Pause" ? "Play" : label, size, true) +
      2 * pad +
      (label === "Pause" || label === "Play" ? 8 : 0) +
      (first && !narrow ? 12 : 0);
    const middle = x + wide / 2;
    if (first && at < 2 && !disabled)
      pen.circle(middle, y, 10, { key: "pulse", class: "pulse", stroke: colour.activation, line: 3 });
    pen.button(
      label,
      pressed,
      (draw) => {
        draw.node("title", {}, help);
        draw.rect(middle - wide / 2, y - tall / 2, wide, tall, {
          r: 8,
          fill: colour.background,
          stroke: first ? colour.ink : colour.quiet,
          line: first ? 2.6 : 1.2,
        });
        draw.text(middle, y + size * 0.36, label, { size, bold: true, fill: colour.ink, anchor: "middle" });
      },
      { disabled, key: label === "Pause" ? "Play" : label },
    );
    x += wide + gap;
  }
  const kind = its.now ? (its.now.kind === "forward" ? "forward" : "back") : "";
  const count = `${at} of ${last}`;
  if (narrow)
    return pen.text(width - 8, y + 5, `${at}/${last}`, { key: "count", size: 14, anchor: "end", fill: colour.quiet });
  pen.text(x + 8, y + 5, kind ? `${count} · ${kind}` : count, {
    key: "count",
    size: 15,
    fill: kind === "back" ? colour.gradient : kind ? colour.activation : colour.quiet,
  });
  track(pen, scene, its, x + 150, width - 20, y);
}

// One mark a step: those of the way forward, those of the way back, the present one in yellow.
function track(pen, scene, its, left, right, y) {
  const { colour, data, memory } = scene;
  const last = lastOf(data);
  const each = Math.min((right - left) / last, 46);
  for (let step = 1; step <= last; step++) {
    const kind = data.steps[step - 1]?.kind;
    const role = kind === "forward" ? colour.activation : kind === "backward" ? colour.gradient : colour.ink;
    const now = step === memory.at;
    const high = now ? 22 : 10;
    const mark = pen.rect(left + (step - 1) * each, y - high / 2, Math.max(each - (each > 6 ? 3 : 1), 1), high, {
      key: `step${step}`,
      r: 3,
      fill: now ? colour.mark : role,
      "fill-opacity": now || step < memory.at ? 1 : 0.25,
      stroke: now ? role : null,
      line: now ? 2 : null,
      class: "press",
    });
    mark.onclick = () => go(memory, step);
  }
}
