// The open head: its weights with the tokens beside them, and the same as lines from token to token.

import { magnified } from "../../ui/browser/dom.js";
import { clear, fit, font } from "./heads_canvas.js";
import { VALUES, share } from "./heads_codes.js";
import { codeAt, followedNow } from "./heads_state.js";

/** @import { Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["heads"]} Data */

export const MAP = { least: 13, most: 44, numbers: 32, beside: 16, tall: 460, lines: 236, band: 72, faintest: 0.02 };

const labelOf = (token) => (Array.from(token).length > 12 ? `${Array.from(token).slice(0, 11).join("")}…` : token);

/** @param {Picture<Data>} picture */
export function mapLayout(picture, width) {
  const { rows, columns } = picture.view;
  const pen = picture.map.getContext("2d");
  pen.font = font(12);
  const longest = Math.max(...picture.data.tokens.map((token) => pen.measureText(labelOf(token)).width));
  picture.label = Math.min(Math.max(Math.ceil(longest) + 8, 56), 96);
  const across = Math.floor((width - picture.label) / columns.length);
  picture.cell = Math.min(Math.max(across, MAP.least), Math.max(MAP.least, Math.min(MAP.most, Math.floor(MAP.tall / rows.length))));
  const size = { width: columns.length * picture.cell, height: rows.length * picture.cell };
  fit(picture.map, size.width, size.height);
  fit(picture.rowLabels, picture.label, size.height);
  fit(picture.columnLabels, size.width, picture.label);
  picture.corner.style.width = `${magnified() * picture.label}px`;
  picture.corner.style.height = `${magnified() * picture.label}px`;
  fit(picture.lines, MAP.lines, picture.label + size.height);
}

/**
 * A pixel a cell, which the stylesheet stretches without blurring: a large canvas is slow to show.
 * Where cells have room for their numbers, it is drawn at full size.
 *
 * @param {Picture<Data>} picture
 */
export function paintMap(picture) {
  const { view, cell, at, paint, colour, data } = picture;
  const [wide, high] = [view.columns.length, view.rows.length];
  const small = cell >= MAP.numbers ? document.createElement("canvas") : picture.map;
  Object.assign(small, { width: wide, height: high });
  const image = small.getContext("2d").createImageData(wide, high);
  const pixels = new Uint32Array(image.data.buffer);
  view.rows.forEach((i, y) => view.columns.forEach((j, x) => (pixels[y * wide + x] = paint[codeAt(picture, at, i, j)])));
  small.getContext("2d").putImageData(image, 0, 0);
  if (small === picture.map) return;
  fit(picture.map, wide * cell, high * cell);
  const pen = picture.map.getContext("2d");
  clear(pen, picture.map);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(small, 0, 0, wide * cell, high * cell);
  numbersIn(picture, pen, data, colour);
}

/**
 * @param {Picture<Data>} picture
 * @param {Data} data
 */
function numbersIn(picture, pen, data, colour) {
  const { view, cell, at } = picture;
  pen.font = font(Math.min(12, cell / 3));
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  view.rows.forEach((i, y) => view.columns.forEach((j, x) => {
    const value = VALUES[codeAt(picture, at, i, j)];
    if (value < Math.max(at.threshold, 0.005)) return;
    pen.fillStyle = data.inks[Math.round(share(value, at) * (data.inks.length - 1))] ?? colour.ink;
    pen.fillText(value.toFixed(2).replace(/^0/, ""), (x + 0.5) * cell, (y + 0.5) * cell);
  }));
}

// --- labels and marks ------------------------------------------------------------------------------

/** @param {Picture<Data>} picture */
export function markMap(picture) {
  const { view, cell } = picture;
  const { query, key } = followedNow(picture);
  const [y, x] = [view.rows.indexOf(query), view.columns.indexOf(key)];
  const put = (node, n, side, breadth, all, length) => {
    node.hidden = n < 0;
    const size = magnified() * cell;
    Object.assign(node.style, { [side]: `${n * size}px`, [breadth]: `${size}px`, [length]: `${all * size}px` });
  };
  put(picture.rowMark, y, "top", "height", view.columns.length, "width");
  put(picture.columnMark, x, "left", "width", view.rows.length, "height");
  labelRows(picture, query);
  labelColumns(picture, key);
}

/** @param {Picture<Data>} picture */
function labelRows(picture, query) {
  const pen = picture.rowLabels.getContext("2d");
  clear(pen, picture.rowLabels);
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  picture.view.rows.forEach((i, y) => {
    label(pen, picture, i, i === query ? picture.colour.query : null);
    pen.fillText(labelOf(picture.data.tokens[i]), picture.label - 5, (y + 0.5) * picture.cell, picture.label - 6);
  });
}

/** @param {Picture<Data>} picture */
function labelColumns(picture, key) {
  const pen = picture.columnLabels.getContext("2d");
  clear(pen, picture.columnLabels);
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  picture.view.columns.forEach((j, x) => {
    label(pen, picture, j, j === key ? picture.colour.key : null);
    pen.save();
    pen.translate((x + 0.5) * picture.cell, picture.label - 5);
    pen.rotate(-Math.PI / 2);
    pen.fillText(labelOf(picture.data.tokens[j]), 0, 0, picture.label - 6);
    pen.restore();
  });
}

/** @param {Picture<Data>} picture */
function label(pen, picture, place, chosen) {
  pen.font = font(12, chosen ? 700 : 400);
  pen.fillStyle = chosen ?? (picture.data.special[place] ? picture.colour.quiet : picture.colour.ink);
}

/** @param {Picture<Data>} picture */
export const underMap = (picture, x, y) => {
  const { rows, columns } = picture.view;
  const [r, c] = [Math.floor(y / picture.cell), Math.floor(x / picture.cell)];
  return r >= 0 && c >= 0 && r < rows.length && c < columns.length ? { query: rows[r], key: columns[c] } : null;
};

// --- the same as lines -------------------------------------------------------------------------------

/**
 * A line is as thick and as opaque as its weight; with a token followed, only its lines stand out.
 * The faintest are left out: thousands of them are slow to draw and cannot be seen.
 *
 * @param {Picture<Data>} picture
 */
export function paintLines(picture) {
  const { view, at, colour, cell } = picture;
  const pen = picture.lines.getContext("2d");
  clear(pen, picture.lines);
  const { query, key } = followedNow(picture);
  const [left, right] = [MAP.band + 6, MAP.lines - MAP.band - 6];
  const middle = (n) => picture.label + (n + 0.5) * cell;
  const any = view.rows.includes(query) || view.columns.includes(key);
  pen.strokeStyle = colour.activation;
  view.rows.forEach((i, r) => view.columns.forEach((j, c) => {
    const value = VALUES[codeAt(picture, at, i, j)];
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
  sideLabels(picture, pen, { query, key }, middle);
}

/** @param {Picture<Data>} picture */
function sideLabels(picture, pen, { query, key }, middle) {
  const { view, colour, data } = picture;
  pen.textBaseline = "middle";
  const side = (places, chosen, shade, x, align, heading) => {
    pen.textAlign = align;
    pen.font = font(12, 600);
    pen.fillStyle = shade;
    pen.fillText(heading, x, picture.label - 14);
    places.forEach((place, n) => {
      label(pen, picture, place, place === chosen ? shade : null);
      pen.fillText(labelOf(data.tokens[place]), x, middle(n), MAP.band);
    });
  };
  side(view.rows, query, colour.query, MAP.band, "right", "looking");
  side(view.columns, key, colour.key, MAP.lines - MAP.band, "left", "looked at");
}

/** @param {Picture<Data>} picture */
export const underLines = (picture, x, y) => {
  const { rows, columns } = picture.view;
  const n = Math.floor((y - picture.label) / picture.cell);
  if (x < MAP.lines / 2) return n >= 0 && n < rows.length ? { query: rows[n] } : null;
  return n >= 0 && n < columns.length ? { key: columns[n] } : null;
};
