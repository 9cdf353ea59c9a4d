// The step table of attention: one block per stage, each number in a cell that can be opened. With one query there is
// one row per key, so that a stage is a column; with all queries, each stage is a matrix.

import { html, magnified } from "../../drawing/dom.js";
import { follow } from "../../drawing/frames.js";
import { formatNumber } from "../../drawing/numbers.js";
import { saveButtons, saveTable } from "../../drawing/saving.js";
import { stage } from "../../drawing/stage.js";
import { colours, isDark } from "../../drawing/theme.js";
import { buildColumns } from "./table_columns.js";
import { buildMatrices } from "./table_matrices.js";
import { mark, paint } from "./table_paint.js";
import { BOX } from "./table_sheet.js";

/** @import { Component, MatrixBlock, Palette, Scripts, Values } from "../../drawing/types.js" */
/** @import { Data, Table } from "./table_sheet.js" */

/** @param {Component<Scripts["attention"]>} component */
export default function attention({ data, parentElement, setTriggerValue }) {
  const { host } = parentElement;
  const room = Math.max(Math.floor((host.clientWidth || 900) / magnified() / 40) * 40, 280);
  const values = nowOf(data);
  const least = data.mode === "query" ? BOX.moving : data.tokens.length > 8 ? BOX.wide : BOX.narrow;
  const widths = data.blocks.map((block) => columnWidth(block, values, least));
  const shape = JSON.stringify([data.mode, data.tokens, outline(data), widths, room, isDark(parentElement)]);
  /** @type {[Table, boolean]} */
  const [picture, fresh] = stage(parentElement, shape);
  picture.data = data;
  picture.send = (event) => setTriggerValue("event", event);
  if (fresh) build(picture, { room, widths }, colours(parentElement));
  mark(picture);
  picture.list.replaceChildren();
  picture.lines = data.lines.map((line) => html("div", { class: `line ${line.role}` }, picture.list));
  return follow(picture, data, (current) => paint(picture, current));
}

/** @param {Data} data @returns {Values} */
function nowOf(data) {
  const index = new Map(data.names.map((name, i) => [name, i]));
  return (name) => data.now[/** @type {number} */ (index.get(name))];
}

/**
 * The width of a column: that of its longest number now. One whose numbers move has room for any number.
 *
 * @param {MatrixBlock} block
 * @param {Values} values
 * @param {number} least the width of what moves
 */
function columnWidth(block, values, least) {
  const cells = [...block.top, ...block.rows].flat();
  const longest = Math.max(...cells.map(([name]) => formatNumber(values(name)).length));
  return Math.max(block.moves ? least : 0, BOX.plain, Math.min(longest * BOX.letter + 8, BOX.moving));
}

/**
 * The parts of the blocks whose change makes the table be rebuilt.
 *
 * @param {Data} data
 */
const outline = (data) =>
  data.blocks.map(({ title, role, heads, top, rows, foot, bar }) => [
    title,
    role,
    heads,
    top.length,
    rows.length,
    foot.length,
    bar,
  ]);

/** @param {Table} picture @param {{ room: number, widths: number[] }} sizes @param {Palette} colour */
function build(picture, { room, widths }, colour) {
  Object.assign(picture, { colour, cells: [], subs: [], queryName: null, rowNames: [] });
  buildQueries(picture);
  const frame = html("div", { class: "cells table" }, picture.element);
  const layers =
    picture.data.mode === "query" ? buildColumns(picture, frame, widths) : buildMatrices(picture, frame, widths, room);
  picture.list = html("div", { class: "lines opened", "aria-live": "polite" }, picture.element);
  const save = html("div", { class: "row" }, picture.element);
  saveButtons(save, () => ["attention", layers]);
  saveTable(save, () => ["attention", ["stage", "row", "column", "value"], rowsOf(picture)]);
}

/**
 * The list from which the query is chosen.
 *
 * @param {Table} picture
 */
function buildQueries(picture) {
  const row = html("div", { class: "row" }, picture.element);
  const label = html("label", { class: "row" }, row, "Query: ");
  const select = html("select", { "aria-label": "Query" }, label);
  picture.data.tokens.forEach((token, i) => html("option", { value: i + 1 }, select, `${i + 1} ${token}`));
  select.onchange = () => picture.send({ query: Number(select.value) });
  picture.select = select;
}

/**
 * The numbers, one per line.
 *
 * @param {Table} picture
 */
const rowsOf = ({ data, cells, values }) =>
  cells.map(({ b, part, r, c, cell: [name] }) => [
    data.blocks[b].key,
    part === "rows" ? r + 1 : part,
    c + 1,
    values(name),
  ]);
