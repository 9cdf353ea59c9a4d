// The visitor's own lecture: stored in this browser, sent as a link whose fragment no server sees, or as a TOML file.

import { addressOf } from "./address.js";

/**
 * @typedef {object} OwnSlide
 * @property {string} heading
 * @property {string} path the address of its view, with the beats that belong to it; empty if it has no view
 * @property {string} notes
 * @property {boolean} hide whether its controls are hidden
 */
/** @typedef {{ title: string, slides: OwnSlide[] }} OwnLecture */

const KEPT = "lml-mine"; // in this browser
const OPENED = "lml-opened"; // from a link, in this tab
export const MOST = { slides: 500, title: 120, heading: 200, notes: 2000, path: 8000, link: 60_000 };
const PATH = /^\/[a-z0-9_]*(\?[^\s#]*)?$/;
const PLACE = ["deck", "slide", "beats", "present", "beat", "tour"];
const EMPTY = { title: "My lecture", slides: [] };

/**
 * The lecture of a link that this tab has opened, else the stored one.
 *
 * @returns {OwnLecture}
 */
export function readMine() {
  for (const [storage, name] of places()) {
    try {
      const text = storage().getItem(name);
      if (text) return checkLecture(JSON.parse(text));
    } catch {
      // no storage, or not ours
    }
  }
  return structuredClone(EMPTY);
}

const places = () =>
  /** @type {[() => Storage, string][]} */ ([
    [() => sessionStorage, OPENED],
    [() => localStorage, KEPT],
  ]);

export const isFromLink = () => {
  try {
    return sessionStorage.getItem(OPENED) !== null;
  } catch {
    return false;
  }
};

/**
 * Save the lecture: with `link` in this tab only, with `keep` in this browser for good, by default where it was read
 * from.
 *
 * @param {OwnLecture} lecture
 */
export function keepMine(lecture, { link = isFromLink(), keep = false } = {}) {
  const text = JSON.stringify(checkLecture(lecture));
  if (keep) sessionStorage.removeItem(OPENED);
  (link && !keep ? sessionStorage : localStorage).setItem(link && !keep ? OPENED : KEPT, text);
}

/**
 * Call `act` when another tab of this browser changes the lecture.
 *
 * @param {() => void} act
 */
export function onOtherTab(act) {
  window.addEventListener("storage", ({ key }) => {
    if (key === KEPT || key === null) act();
  });
}

export const forgetLink = () => sessionStorage.removeItem(OPENED);

/**
 * Add the view on screen; returns how many slides there are now.
 *
 * @param {string} heading
 */
export function addToMine(heading) {
  const lecture = readMine();
  lecture.slides.push({ heading, path: viewOnScreen(), notes: "", hide: false });
  keepMine(lecture);
  return lecture.slides.length;
}

/** The path of the view on screen, without its place in a lecture. */
export const viewOnScreen = () => plainPath(`/${location.pathname.split("/").at(-1)}${location.search}`);

/**
 * A path without its place in a lecture.
 *
 * @param {string} path
 */
export function plainPath(path) {
  const [page, given] = path.split("?");
  const query = new URLSearchParams(given);
  for (const name of PLACE) query.delete(name);
  return `${page}${query.size ? `?${query}` : ""}`;
}

/**
 * The same path as slide `at` of the own lecture; empty for a slide without a view.
 *
 * @param {string} path @param {number} at
 */
export const placed = (path, at) => path && `${path}${path.includes("?") ? "&" : "?"}deck=mine&slide=${at}`;

/**
 * A path with the beats of its page that belong to the slide, from 1.
 *
 * @param {string} path @param {readonly number[]} beats
 */
export const withBeats = (path, beats) =>
  beats.length ? `${path}${path.includes("?") ? "&" : "?"}beats=${beats.join(".")}` : path;

/**
 * The lecture without its slides that have no view.
 *
 * @param {OwnLecture} lecture
 */
export const withViews = ({ title, slides }) => ({ title, slides: slides.filter(({ path }) => path) });

/**
 * The lecture in `given`; throws an error that names the first mistake and its place.
 *
 * @param {unknown} given @returns {OwnLecture}
 */
export function checkLecture(given) {
  if (!given || typeof given !== "object" || !("slides" in given) || !Array.isArray(given.slides))
    throw new Error("a lecture must have a list of slides");
  if (given.slides.length > MOST.slides)
    throw new Error(`a lecture may have at most ${MOST.slides} slides; got ${given.slides.length}`);
  const named = "title" in given ? given.title : null;
  const title = text(named ?? EMPTY.title, MOST.title, "the title");
  const slides = given.slides.map((/** @type {Partial<Record<keyof OwnSlide, unknown>> | null} */ slide, i) => {
    const where = `slide ${i + 1}`;
    const path = text(slide?.path, MOST.path, `the view of ${where}`);
    if (path && !PATH.test(path))
      throw new Error(`the view of ${where} must be a page of this app, such as /neuron?w=1; got ${path.slice(0, 60)}`);
    return {
      heading: text(slide?.heading ?? "", MOST.heading, `the heading of ${where}`),
      path,
      notes: text(slide?.notes ?? "", MOST.notes, `the notes of ${where}`),
      hide: Boolean(slide?.hide),
    };
  });
  return { title, slides };
}

/** @param {unknown} value @param {number} most @param {string} name */
function text(value, most, name) {
  if (typeof value !== "string") throw new Error(`${name} must be text; got ${typeof value}`);
  if (value.length > most) throw new Error(`${name} may have at most ${most} characters; got ${value.length}`);
  return value;
}

/**
 * The link to a lecture, with the whole lecture in its fragment. Throws an error if it is too long.
 *
 * @param {OwnLecture} lecture
 */
export async function linkOf(lecture) {
  const packed = await through(new Blob([JSON.stringify(lecture)]), new CompressionStream("deflate-raw"));
  const base = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  if (base.length > MOST.link)
    throw new Error(`this lecture is too long for a link (${base.length} characters); save it as a file`);
  return `${addressOf("/lectures?deck=mine")}#${base.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/**
 * The lecture that a link's fragment holds; throws an error if it holds none.
 *
 * @param {string} fragment
 */
export async function lectureOf(fragment) {
  let read;
  try {
    const bytes = Uint8Array.from(atob(fragment.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    read = JSON.parse(
      new TextDecoder().decode(await through(new Blob([bytes]), new DecompressionStream("deflate-raw"), 5_000_000)),
    );
  } catch {
    throw new Error("this link holds no lecture: it may have been cut");
  }
  return checkLecture(read);
}

/** @param {Blob} blob @param {CompressionStream | DecompressionStream} stream */
async function through(blob, stream, most = Infinity) {
  const reader = blob.stream().pipeThrough(stream).getReader();
  const parts = [];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) throw new Error("too large");
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/**
 * The lecture as a TOML file, as a server's folder of lectures reads it.
 *
 * @param {OwnLecture} lecture
 */
export function tomlOf({ title, slides }) {
  /** @param {string} value */
  const quoted = (value) => JSON.stringify(value).replaceAll("\u007f", "\\u007f");
  const lines = [`title = ${quoted(title)}`];
  for (const { heading, path, notes, hide } of slides) {
    lines.push("", "[[slide]]", `heading = ${quoted(heading)}`, `path = ${quoted(path)}`);
    if (notes) lines.push(`notes = ${quoted(notes)}`);
    if (hide) lines.push("hide = true");
  }
  return `${lines.join("\n")}\n`;
}
