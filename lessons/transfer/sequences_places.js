// Where the sequences are drawn: on top a card for each kind of input, below it the sequences of the shown one, a row each.

import { textWidth } from "../../drawing/pen.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { SequenceToken } from "../../drawing/types.js" */
/** @typedef {Scene<"sequences">} SequencesScene */
/** @typedef {ReturnType<typeof placesOf>} SequencesPlaces */
/** @typedef {{ text: string, part: number, read: boolean, left: number, wide: number }} Box */

const PAD = 8; // between a word and the edge of its box
const GAP = 3;
const SIZES = [22, 20, 18, 16, 15, 14];

/** @param {SequencesScene} scene */
export function placesOf({ data, width, height, narrow }) {
  const edge = narrow ? 4 : 20;
  const cards = { top: 4, high: narrow ? 0 : 86, wide: (width - 2 * edge) / data.kinds.length };
  const rows = data.readers.reduce((sum, { sequences }) => sum + sequences.length, 0);
  const title = narrow ? 48 : 44; // above the sequences of a model
  const top = cards.high + (narrow ? 8 : 18);
  const row = Math.min((height - top - title * data.readers.length - 4) / rows, narrow ? 62 : 116);
  let y = top;
  const readers = data.readers.map(({ sequences }) => {
    const at = { title: y + 20, rows: sequences.map((_, n) => y + title + n * row) };
    y += title + sequences.length * row;
    return at;
  });
  return {
    narrow,
    edge,
    cards,
    readers,
    row,
    high: Math.min(row - 14, narrow ? 44 : 66),
    room: width - 2 * edge,
    width,
  };
}

/**
 * The boxes of a sequence and their size of type: a word each if they fit, else a text each, cut.
 *
 * @param {readonly SequenceToken[]} tokens @param {SequencesPlaces} at
 * @returns {{ size: number, boxes: Box[] }}
 */
export function boxesOf(tokens, { edge, room, narrow }) {
  const size = SIZES.find((each) => widthOf(tokens, each) <= room);
  if (size && !narrow) return { size, boxes: placed(tokens, edge, (token) => wideOf(token.text, size)) };
  const small = narrow ? 13 : 14;
  const texts = merged(tokens);
  const marks = texts.filter(({ part }) => !part).reduce((sum, { text }) => sum + wideOf(text, small) + GAP, 0);
  const count = texts.filter(({ part }) => part).length;
  const each = (room - marks) / Math.max(count, 1) - GAP;
  const wide = (/** @type {SequenceToken} */ { text, part }) =>
    part ? Math.min(each, wideOf(text, small)) : wideOf(text, small);
  return { size: small, boxes: placed(texts, edge, wide) };
}

/** @param {string} text @param {number} size */
const wideOf = (text, size) => textWidth(text, size, true) + 2 * PAD;

/** @param {readonly SequenceToken[]} tokens @param {number} size */
const widthOf = (tokens, size) => tokens.reduce((sum, { text }) => sum + wideOf(text, size) + GAP, 0);

/**
 * @param {readonly SequenceToken[]} tokens @param {number} left @param {(token: SequenceToken) => number} wide
 * @returns {Box[]}
 */
function placed(tokens, left, wide) {
  let x = left;
  return tokens.map((token) => {
    const box = { ...token, left: x, wide: wide(token) };
    x += box.wide + GAP;
    return box;
  });
}

/** The words of each text as one. @param {readonly SequenceToken[]} tokens @returns {SequenceToken[]} */
export function merged(tokens) {
  /** @type {SequenceToken[]} */
  const found = [];
  for (const token of tokens) {
    const last = found[found.length - 1];
    if (token.part && last?.part === token.part) last.text += ` ${token.text}`;
    else found.push({ ...token });
  }
  return found;
}
