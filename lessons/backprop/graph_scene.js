// What all parts of the picture of a graph share: its memory, and what is drawn at a place of the walk.

import { fillText } from "../../drawing/rich_text.js";
import { arrange } from "./graph_layout.js";
import { seenPart } from "./graph_view.js";
import { reached, ridden } from "./graph_walk.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { GraphEdge } from "../../drawing/types.js" */
/** @import { Plan, Room } from "./graph_sizes.js" */
/** @import { View } from "./graph_view.js" */
/** @import { Data, Walk } from "./graph_walk.js" */

/** @typedef {{ plan: Plan, plannedFor: Data, plannedSize: string }} Planned places of that graph, in that room */
/** @typedef {Scene<"graph", Partial<Walk & Planned & View>>} GraphScene */
/** @typedef {ReturnType<typeof momentOf>} Moment */
/** @typedef {(pen: Pen, scene: GraphScene, now: Moment, edge: GraphEdge, i: number) => void} DrawEdge */
/** @typedef {(template: string) => string} Print */

export const LEAST = 13; // the smallest type
const NAMED = /==\{([^{}]+)\}==/; // the number that a sentence marks

/**
 * What is drawn at a place of the walk: what has been computed, where everything is drawn, and the texts.
 *
 * @param {GraphScene} scene @param {Walk} walk @param {Room} room
 */
export function momentOf(scene, walk, room) {
  const { data } = scene;
  const part = ridden(walk); // how far the numbers of this step have ridden
  const { now: step, ...state } = reached(data, walk.at);
  const plan = planned(scene, room);
  const focus = step ? step.nodes[0] : state.done ? namedNode(data) : data.nodes[0].id; // the node that must be visible
  const view = seenPart(scene, plan, room, { at: walk.at, focus });
  return { ...state, step, part, plan, room, view, texts: textsOf(scene), largest: largestGradient(scene) };
}

/**
 * The places of the graph, arranged anew when it or its room changes.
 *
 * @param {GraphScene} scene @param {Room} room
 */
function planned({ memory, data }, room) {
  const size = `${room.width} ${room.height}`;
  if (!memory.plan || memory.plannedFor !== data || memory.plannedSize !== size) {
    memory.plan = arrange(data, room);
    Object.assign(memory, { plannedFor: data, plannedSize: size });
  }
  return memory.plan;
}

/**
 * Texts of the graph with their numbers, those that are to be predicted as "?": as they are, with two digits, and as
 * they were before the drag.
 *
 * @param {GraphScene} scene @returns {{ now: Print, few: Print, before: Print | null }}
 */
function textsOf({ values, before, hidden }) {
  /** @type {(numbers: (name: string) => number) => Print} */
  const print = (numbers) => (template) => fillText(template, (name) => (hidden(name) ? "?" : numbers(name)));
  const few = print((name) => Number(values(name).toPrecision(2)));
  return { now: print(values), few, before: before ? print(before) : null };
}

/**
 * The size of the largest gradient in the graph that is not to be predicted.
 *
 * @param {GraphScene} scene
 */
function largestGradient({ data, values, hidden }) {
  const names = data.nodes.flatMap((node) => node.sizes).filter((name) => !hidden(name));
  return Math.max(1e-300, ...names.map((name) => Math.abs(values(name))).filter(Number.isFinite));
}

/** @param {GraphEdge} edge */
export const keyOf = (edge) => `${edge.to}.${edge.position}`;

/**
 * The number that the sentence at the end marks.
 *
 * @param {GraphScene["data"]} data
 */
export const markedName = ({ sentences }) => NAMED.exec(sentences[sentences.length - 1] ?? "")?.[1];

/**
 * The node whose gradient the sentence at the end marks, or the result.
 *
 * @param {GraphScene["data"]} data
 */
export function namedNode(data) {
  const marked = markedName(data);
  return data.nodes.find((node) => node.sizes.some((name) => name === marked))?.id ?? data.result;
}

/**
 * Whether a box lies in the visible part of the graph.
 *
 * @param {Moment} now @param {number} x @param {number} y @param {number} width @param {number} height
 */
export const isInside = ({ view, room }, x, y, width, height) =>
  x >= view.x - 0.5 &&
  y >= view.y - 0.5 &&
  x + width <= view.x + room.width + 0.5 &&
  y + height <= view.y + room.height + 0.5;
