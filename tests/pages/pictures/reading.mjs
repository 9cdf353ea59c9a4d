// Reads a drawing as a person who measures it would: each text, bar, point and line with its place, the role of its
// colour and its parts, a line each.

import { paintedAt, paintingOf } from "./painting.mjs";

/** @typedef {[number, number, number, number, number, number]} Matrix as SVG writes it */

const ONE = /** @type {Matrix} */ ([1, 0, 0, 1, 0, 0]);
const DRAWN = new Set(["text", "rect", "circle", "path", "line", "image", "foreignObject", "stop"]);

/**
 * @param {Element} svg
 * @param {Map<string, string>} roles the role of each colour of the palette
 * @returns {string[]} a line for each thing that is drawn, indented as its groups are
 */
export function readDrawing(svg, roles) {
  const lines = /** @type {string[]} */ ([]);
  walk(svg, ONE, "", { lines, roles });
  return lines;
}

function walk(node, matrix, indent, found) {
  for (const child of node.children) {
    const tag = child.tagName.toLowerCase() === "foreignobject" ? "foreignObject" : child.tagName;
    const here = times(matrix, transformOf(child.getAttribute("transform")));
    if (DRAWN.has(tag)) found.lines.push(indent + read(tag, child, here, found.roles));
    if (tag === "text" || tag === "foreignObject") continue;
    const name = tag === "g" ? partOf(child, found.roles) : "";
    if (name) found.lines.push(indent + name);
    walk(child, here, name ? `${indent}  ` : indent, found);
  }
}

function partOf(node, roles) {
  const key = node.called?.startsWith("g:") ? node.called.slice(2) : "";
  const said = ["aria-label", "aria-pressed", "aria-disabled", "data-n", "data-axis", "data-title", "opacity"]
    .filter((name) => node.hasAttribute(name))
    .map((name) => `${name.replace(/^(aria|data)-/, "")} ${quoted(node.getAttribute(name))}`);
  const per = node.getAttribute("data-per");
  if (per) said.push(`dragged ${Math.round(Number(per))} ${node.getAttribute("data-way") ?? "x"}`);
  return key || said.length ? `[${[key, ...said].filter(Boolean).join(", ")}]` : "";
}

function read(tag, node, matrix, roles) {
  const its = (name) => node.getAttribute(name);
  const number = (name) => Number(its(name) ?? 0);
  const at = (x, y) => place(apply(matrix, x, y));
  const look = [
    ...["fill", "stroke", "stop-color"]
      .filter((name) => its(name) && its(name) !== "none")
      .map((name) => `${name} ${roleOf(its(name), roles)}`),
    its("stroke-dasharray") ? "dashed" : "",
    its("opacity") !== null ? `opacity ${its("opacity")}` : "",
    its("class") ?? "",
  ]
    .filter(Boolean)
    .join(" ");
  if (tag === "text") {
    const turned = Math.round((Math.atan2(matrix[1], matrix[0]) * 180) / Math.PI);
    const bold = Number(its("font-weight")) > 500 ? " bold" : "";
    return `${quoted(node.textContent)} at ${at(number("x"), number("y"))} ${its("text-anchor") ?? "start"}${bold}${turned ? ` turned ${turned}` : ""} ${look}`;
  }
  if (tag === "rect" || tag === "image" || tag === "foreignObject") {
    const [x, y] = [number("x"), number("y")];
    const lies = `${at(x, y)} to ${at(x + number("width"), y + number("height"))}`;
    const canvas = tag === "foreignObject" && node.querySelector("canvas");
    if (canvas) return `canvas ${lies}: ${paintingOf(canvas).words}`;
    return `${tag} ${lies} ${look}${tag === "image" ? paintedAt(its("href")) : ""}`;
  }
  if (tag === "circle") return `circle ${at(number("cx"), number("cy"))} r ${whole(number("r"))} ${look}`;
  if (tag === "line") return `line ${at(number("x1"), number("y1"))} to ${at(number("x2"), number("y2"))} ${look}`;
  if (tag === "path") return `path ${along(its("d") ?? "", matrix)} ${look}`;
  return `${tag} ${look}`;
}

// Where a path begins and ends, its corners in between as far as there are few, else its extent.
function along(d, matrix) {
  const points = pointsOf(d).map(([x, y]) => apply(matrix, x, y));
  if (points.length < 6) return points.map(place).join(" ");
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const box = `${place([Math.min(...xs), Math.min(...ys)])} to ${place([Math.max(...xs), Math.max(...ys)])}`;
  return `${place(points[0])} … ${place(points.at(-1))} within ${box}, ${points.length} points, middle ${place(points[points.length >> 1])}`;
}

// The points of a path in turn; of a curve its end.
function pointsOf(d) {
  const found = [];
  let [x, y] = [0, 0];
  for (const [, letter, numbers] of d.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const n = (numbers.match(/-?\d*\.?\d+(?:e[-+]?\d+)?/gi) ?? []).map(Number);
    const own = letter === letter.toLowerCase();
    const kind = letter.toUpperCase();
    if (kind === "Z") continue;
    if (kind === "H" || kind === "V") {
      for (const value of n) {
        if (kind === "H") x = own ? x + value : value;
        else y = own ? y + value : value;
        found.push([x, y]);
      }
      continue;
    }
    const step = { M: 2, L: 2, T: 2, Q: 4, S: 4, C: 6, A: 7 }[kind] ?? 2;
    for (let i = 0; i + step <= n.length; i += step) {
      [x, y] = own ? [x + n[i + step - 2], y + n[i + step - 1]] : [n[i + step - 2], n[i + step - 1]];
      found.push([x, y]);
    }
  }
  return found;
}

/**
 * The middle of all points of what is drawn within a node.
 *
 * @param {Element} node
 * @returns {[number, number]}
 */
export function middleOf(node) {
  let matrix = ONE;
  for (let at = node; at && at.tagName !== "svg"; at = at.parentElement)
    matrix = times(transformOf(at.getAttribute("transform")), matrix);
  const points = /** @type {[number, number][]} */ ([]);
  collect(node, matrix, points);
  return /** @type {[number, number]} */ ([0, 1].map((axis) => mean(points.map((each) => each[axis]))));
}

function collect(node, matrix, points) {
  const [x, y, d] = [node.getAttribute("x"), node.getAttribute("y"), node.getAttribute("d")];
  if (x !== null && y !== null) points.push(apply(matrix, Number(x), Number(y)));
  if (node.tagName === "circle")
    points.push(apply(matrix, Number(node.getAttribute("cx")), Number(node.getAttribute("cy"))));
  if (d) points.push(...pointsOf(d).map(([a, b]) => apply(matrix, a, b)));
  for (const child of node.children)
    collect(child, times(matrix, transformOf(child.getAttribute("transform"))), points);
}

const mean = (values) => values.reduce((sum, each) => sum + each, 0) / values.length;
const whole = (value) => String(Math.round(value));
const place = ([x, y]) => `${whole(x)};${whole(y)}`;
const quoted = (text) => JSON.stringify(text.replace(/\s+/g, " "));
const roleOf = (colour, roles) => roles.get(colour.toLowerCase()) ?? (colour.startsWith("url(") ? colour : "other");

/** @returns {Matrix} */
function transformOf(text) {
  let matrix = ONE;
  for (const [, kind, inside] of (text ?? "").matchAll(/(\w+)\(([^)]*)\)/g)) {
    const n = inside.split(/[\s,]+/).map(Number);
    const turn = (n[0] * Math.PI) / 180;
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    if (kind === "translate") matrix = times(matrix, [1, 0, 0, 1, n[0], n[1] ?? 0]);
    if (kind === "scale") matrix = times(matrix, [n[0], 0, 0, n[1] ?? n[0], 0, 0]);
    if (kind === "matrix") matrix = times(matrix, /** @type {Matrix} */ (n));
    if (kind === "rotate") {
      const [x, y] = [n[1] ?? 0, n[2] ?? 0];
      matrix = times(times(matrix, [cos, sin, -sin, cos, x, y]), [1, 0, 0, 1, -x, -y]);
    }
  }
  return matrix;
}

const times = ([a, b, c, d, e, f], [g, h, i, j, k, l]) =>
  /** @type {Matrix} */ ([
    a * g + c * h,
    b * g + d * h,
    a * i + c * j,
    b * i + d * j,
    a * k + c * l + e,
    b * k + d * l + f,
  ]);
const apply = ([a, b, c, d, e, f], x, y) => /** @type {[number, number]} */ ([a * x + c * y + e, b * x + d * y + f]);
