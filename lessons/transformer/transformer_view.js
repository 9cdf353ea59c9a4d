// What the picture of a whole Transformer shows: the numbers of a text, the camera, and what is on screen.

import { WHOLE } from "./transformer_camera.js";
import { lookAt, nearCell } from "./transformer_moves.js";
import { tensorsOf } from "./transformer_numbers.js";
import { cellsOf } from "./transformer_places.js";
import { buildTree, findPart, tileOf } from "./transformer_tree.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Scripts } from "../../drawing/types.js" */
/** @import { Camera, Cell, Strip } from "./transformer_camera.js" */
/** @import { Tensor } from "./transformer_numbers.js" */
/** @import { Part } from "./transformer_tree.js" */

/** @typedef {Scripts["transformer"]} Data */
/**
 * What is computed from the data, and kept until new data arrive.
 *
 * @typedef {object} Model
 * @property {Data} data
 * @property {boolean} narrow whether the tree is that of a narrow picture
 * @property {number} turn counts how often new data arrived
 * @property {Map<string, Tensor>} tensors the numbers that were sent, by stage
 * @property {Part} root of the tree of parts
 * @property {Part | null} opened the tile of the open number
 * @property {Map<string, HTMLCanvasElement>} textures each tile as an image, by id; made when it is first drawn
 * @property {Map<string, number>} reaches the end of each tile's colour scale, by id
 */
/**
 * What the visitor looks at; unlike the model, it is kept when new data arrive.
 *
 * @typedef {object} Look
 * @property {Camera} camera
 * @property {Part} part to which the camera last zoomed
 * @property {Flight | null} flight of the camera during an animated move
 * @property {boolean} moving whether the camera moves; no numbers are written into cells then
 * @property {number} [resting] the timer after which a drag counts as paused
 * @property {Spot | null} over what is pointed at
 */
/** @typedef {{ from: Camera, to: Camera, start: number }} Flight start: in ms */
/** @typedef {{ part: Part, cell: Cell | null }} Spot the smallest part that is drawn there, and a cell of its tile */
/** @typedef {{ model?: Model, look?: Look }} Memory */
/** @typedef {Scene<"transformer", Memory>} TransformerScene */

/** @typedef {{ left: number, top: number, width: number, height: number }} Box */
/** @typedef {{ open: Part[], drawn: Part[] }} Parts open: those that show their children; drawn: the others */
/**
 * What is on screen in one drawing.
 *
 * @typedef {object} View
 * @property {TransformerScene} scene
 * @property {Model} model
 * @property {Look} look
 * @property {Box} plot where the model is drawn
 * @property {Strip[]} strips the sequences of tokens, from the top down
 * @property {number} last the strip whose tokens are followed: the last one
 * @property {number} place the token that is followed, from 0
 */
/** @typedef {View & { parts: Parts, card: Box | null }} Drawing card: where the open number is explained */
/** @typedef {(pen: Pen, drawing: Drawing) => void} Draw */

const BETWEEN = 66; // units between the strips of an encoder and a decoder

/**
 * The view of the data. New data may move the camera to another part.
 *
 * @param {TransformerScene} scene @returns {View}
 */
export function viewOf(scene) {
  const { data, memory, values, narrow } = scene;
  const before = memory.model;
  const model = before?.data === data && before.narrow === narrow ? before : modelOf(scene, (before?.turn ?? 0) + 1);
  const look = (memory.look ??= { camera: WHOLE, part: model.root, flight: null, moving: false, over: null });
  const plot = plotOf(scene);
  const strips = stripsOf(scene, plot);
  const place = Math.max(Math.round(values("token")) - 1, 0);
  const view = { scene, model, look, plot, strips, last: strips.length - 1, place };
  memory.model = model;
  if (model !== before) turnToNews(view, before);
  return view;
}

/** @param {TransformerScene} scene @param {number} turn @returns {Model} */
function modelOf({ data, narrow }, turn) {
  const root = buildTree(data, narrow);
  const { number } = data;
  return {
    data,
    narrow,
    turn,
    tensors: tensorsOf(data),
    root,
    opened: number && tileOf(root, number.stage, number.column),
    textures: new Map(),
    reaches: new Map(),
  };
}

/** @param {TransformerScene} scene @returns {Box} */
function plotOf({ width, height, narrow }) {
  const [left, top] = narrow ? [62, 44] : [96, 52];
  return { left, top, width: width - left - 10, height: height - top - (narrow ? 56 : 70) };
}

/**
 * The strips. Between two strips there is room for two rows of names, and above them for the lines from m.
 *
 * @param {TransformerScene} scene @param {Box} plot
 */
function stripsOf({ data }, plot) {
  if (!data.source.length) return [{ top: 0, bottom: 1, rows: data.tokens.length }];
  const gap = Math.min(Math.max(0.16, BETWEEN / Math.max(plot.height, 1)), 0.3);
  return [
    { top: 0, bottom: 0.5 - gap / 2, rows: data.source.length },
    { top: 0.5 + gap / 2, bottom: 1, rows: data.tokens.length },
  ];
}

/**
 * Zoom to the part and to the open number of new data, if these differ from those of the old data. In a picture that
 * has become narrow or wide, parts have other places: show the same part there.
 *
 * @param {View} view @param {Model | undefined} earlier
 */
function turnToNews(view, earlier) {
  const {
    look,
    model: { data, root, opened, narrow },
  } = view;
  const before = earlier?.data;
  const otherText = before?.model !== data.model || before.tokens.join(" ") !== data.tokens.join(" ");
  if (otherText || data.zoom !== before.zoom) lookAt(view, findPart(root, data.zoom) ?? root, before !== undefined);
  else look.part = findPart(root, look.part.id) ?? root;
  const resized = earlier !== undefined && narrow !== earlier.narrow;
  if (resized) lookAt(view, look.part, false);
  const { number } = data;
  const old = before?.number;
  const same = old && number && old.stage === number.stage && old.row === number.row && old.column === number.column;
  if (!number || !opened || (same && !(resized && look.part === opened))) return;
  const cell = { row: number.row, column: number.column - opened.first };
  if (resized || !isNear(view, opened, cell)) nearCell(view, opened, cell, before !== undefined && !resized);
}

/**
 * Whether the number of a cell is on screen and legible.
 *
 * @param {View} view @param {Part} tile @param {Cell} cell
 */
function isNear(view, tile, cell) {
  const cells = cellsOf(view, tile);
  if (!cells?.legible) return false;
  const { plot } = view;
  const { left, top } = cells.place(cell);
  return left >= plot.left && left < plot.left + plot.width && top >= plot.top - 4 && top < plot.top + plot.height;
}
