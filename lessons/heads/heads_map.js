// The open head: its weights with the tokens beside them, and the same as lines from token to token.

import { magnified } from "../../ui/browser/dom.js";
import { clear, fit, font } from "./heads_canvas.js";
import { VALUES, share } from "./heads_codes.js";
import { codeAt, followedNow } from "./heads_state.js";

export const MAP = { least: 13, most: 44, numbers: 32, beside: 16, tall: 460, lines: 236, band: 72, faintest: 0.02 };

const labelOf = (token) => (Array.from(token).length > 12 ? `${Array.from(token).slice(0, 11).join("")}…` : token);

export function mapLayout(root, width) {
  const { rows, columns } = root.view;
  const pen = root.map.getContext("2d");
  pen.font = font(12);
  const longest = Math.max(...root.data.tokens.map((token) => pen.measureText(labelOf(token)).width));
  root.label = Math.min(Math.max(Math.ceil(longest) + 8, 56), 96);
  const across = Math.floor((width - root.label) / columns.length);
  root.cell = Math.min(Math.max(across, MAP.least), Math.max(MAP.least, Math.min(MAP.most, Math.floor(MAP.tall / rows.length))));
  const size = { width: columns.length * root.cell, height: rows.length * root.cell };
  fit(root.map, size.width, size.height);
  fit(root.rowLabels, root.label, size.height);
  fit(root.columnLabels, size.width, root.label);
  root.corner.style.width = `${magnified() * root.label}px`;
  root.corner.style.height = `${magnified() * root.label}px`;
  fit(root.lines, MAP.lines, root.label + size.height);
}

// A pixel a cell, which the stylesheet stretches without blurring: a large canvas is slow to show.
// Where cells have room for their numbers, it is drawn at full size.
export function paintMap(root) {
  const { view, cell, at, paint, colour, data } = root;
  const [wide, high] = [view.columns.length, view.rows.length];
  const small = cell >= MAP.numbers ? document.createElement("canvas") : root.map;
  Object.assign(small, { width: wide, height: high });
  const image = small.getContext("2d").createImageData(wide, high);
  const pixels = new Uint32Array(image.data.buffer);
  view.rows.forEach((i, y) => view.columns.forEach((j, x) => (pixels[y * wide + x] = paint[codeAt(root, at, i, j)])));
  small.getContext("2d").putImageData(image, 0, 0);
  if (small === root.map) return;
  fit(root.map, wide * cell, high * cell);
  const pen = root.map.getContext("2d");
  clear(pen, root.map);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(small, 0, 0, wide * cell, high * cell);
  numbersIn(root, pen, data, colour);
}

function numbersIn(root, pen, data, colour) {
  const { view, cell, at } = root;
  pen.font = font(Math.min(12, cell / 3));
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  view.rows.forEach((i, y) => view.columns.forEach((j, x) => {
    const value = VALUES[codeAt(root, at, i, j)];
    if (value < Math.max(at.threshold, 0.005)) return;
    pen.fillStyle = data.inks[Math.round(share(value, at) * (data.inks.length - 1))] ?? colour.ink;
    pen.fillText(value.toFixed(2).replace(/^0/, ""), (x + 0.5) * cell, (y + 0.5) * cell);
  }));
}

// --- labels and marks ------------------------------------------------------------------------------

export function markMap(root) {
  const { view, cell } = root;
  const { query, key } = followedNow(root);
  const [y, x] = [view.rows.indexOf(query), view.columns.indexOf(key)];
  const put = (node, n, side, breadth, all, length) => {
    node.hidden = n < 0;
    const size = magnified() * cell;
    Object.assign(node.style, { [side]: `${n * size}px`, [breadth]: `${size}px`, [length]: `${all * size}px` });
  };
  put(root.rowMark, y, "top", "height", view.columns.length, "width");
  put(root.columnMark, x, "left", "width", view.rows.length, "height");
  labelRows(root, query);
  labelColumns(root, key);
}

function labelRows(root, query) {
  const pen = root.rowLabels.getContext("2d");
  clear(pen, root.rowLabels);
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  root.view.rows.forEach((i, y) => {
    label(pen, root, i, i === query ? root.colour.query : null);
    pen.fillText(labelOf(root.data.tokens[i]), root.label - 5, (y + 0.5) * root.cell, root.label - 6);
  });
}

function labelColumns(root, key) {
  const pen = root.columnLabels.getContext("2d");
  clear(pen, root.columnLabels);
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  root.view.columns.forEach((j, x) => {
    label(pen, root, j, j === key ? root.colour.key : null);
    pen.save();
    pen.translate((x + 0.5) * root.cell, root.label - 5);
    pen.rotate(-Math.PI / 2);
    pen.fillText(labelOf(root.data.tokens[j]), 0, 0, root.label - 6);
    pen.restore();
  });
}

function label(pen, root, place, chosen) {
  pen.font = font(12, chosen ? 700 : 400);
  pen.fillStyle = chosen ?? (root.data.special[place] ? root.colour.quiet : root.colour.ink);
}

export const underMap = (root, x, y) => {
  const { rows, columns } = root.view;
  const [r, c] = [Math.floor(y / root.cell), Math.floor(x / root.cell)];
  return r >= 0 && c >= 0 && r < rows.length && c < columns.length ? { query: rows[r], key: columns[c] } : null;
};

// --- the same as lines -------------------------------------------------------------------------------

// A line is as thick and as opaque as its weight; with a token followed, only its lines stand out.
// The faintest are left out: thousands of them are slow to draw and cannot be seen.
export function paintLines(root) {
  const { view, at, colour, cell } = root;
  const pen = root.lines.getContext("2d");
  clear(pen, root.lines);
  const { query, key } = followedNow(root);
  const [left, right] = [MAP.band + 6, MAP.lines - MAP.band - 6];
  const middle = (n) => root.label + (n + 0.5) * cell;
  const any = view.rows.includes(query) || view.columns.includes(key);
  pen.strokeStyle = colour.activation;
  view.rows.forEach((i, r) => view.columns.forEach((j, c) => {
    const value = VALUES[codeAt(root, at, i, j)];
    const stands = !any || i === query || (j === key && !view.rows.includes(query));
    const opacity = share(value, at) * (stands ? 1 : 0.06);
    if (value < at.threshold || opacity < MAP.faintest * (stands ? 1 : 0.06)) return;
    pen.globalAlpha = Math.min(opacity, 1);
    pen.lineWidth = 0.75 + 5 * share(value, at);
    pen.beginPath();
    pen.moveTo(left, middle(r));
    pen.lineTo(right, middle(c));
    pen.stroke();
  }));
  pen.globalAlpha = 1;
  sideLabels(root, pen, { query, key }, middle);
}

function sideLabels(root, pen, { query, key }, middle) {
  const { view, colour, data } = root;
  pen.textBaseline = "middle";
  const side = (places, chosen, shade, x, align, heading) => {
    pen.textAlign = align;
    pen.font = font(12, 600);
    pen.fillStyle = shade;
    pen.fillText(heading, x, root.label - 14);
    places.forEach((place, n) => {
      label(pen, root, place, place === chosen ? shade : null);
      pen.fillText(labelOf(data.tokens[place]), x, middle(n), MAP.band);
    });
  };
  side(view.rows, query, colour.query, MAP.band, "right", "who looks");
  side(view.columns, key, colour.key, MAP.lines - MAP.band, "left", "at whom");
}

export const underLines = (root, x, y) => {
  const { rows, columns } = root.view;
  const n = Math.floor((y - root.label) / root.cell);
  if (x < MAP.lines / 2) return n >= 0 && n < rows.length ? { query: rows[n] } : null;
  return n >= 0 && n < columns.length ? { key: columns[n] } : null;
};
