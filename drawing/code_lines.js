// Code in large letters: lines that are too long go on below with an indent, and parts of them are marked.

/** @import { Pen, TextLook } from "./pen.js" */
/** @typedef {{ line: number, from: number, text: string, x: number, y: number }} Piece of a line, from a letter on */
/** @typedef {{ line: number, text: string, x: number, y: number }} Aside */
/** @typedef {{ size: number, letter: number, step: number, pieces: Piece[], asides: Aside[], foot: number }} LaidCode */
/** @typedef {{ left: number, top: number, room: number, high: number, most: number, least: number }} CodeBox */

const LETTER = 0.6; // the width of a letter, in sizes
const INDENT = 6; // letters, of what goes on below
const LEADING = [1.32, 1.75];
const TIGHT = 1.12; // the leading of the smallest letters, where there is no room
const KEYWORD = /^(?:import|as|from|class|def|for|in|with|return|print)$/;
const RUNS = /(\b(?:import|as|from|class|def|for|in|with|return|print)\b| {2,})/; // a split by it keeps them
const FONT = { "font-family": '"Source Code Pro", monospace' };

/**
 * A line in pieces of at most `letters`, broken at a space or before a dot.
 *
 * @param {string} text @param {number} letters
 */
export function breakLine(text, letters) {
  const own = text.length - text.trimStart().length;
  /** @type {{ from: number, text: string, indent: number }[]} */
  const pieces = [];
  let from = 0;
  let indent = 0;
  while (text.length - from + indent > letters) {
    const most = letters - indent;
    const part = text.slice(from, from + most);
    const least = from ? 0 : own;
    const space = part.lastIndexOf(" ") + 1;
    const other = Math.max(space, part.lastIndexOf("(") + 1, part.lastIndexOf("."));
    const at = space > most / 2 ? space : other;
    const cut = at > least + 1 ? at : most;
    pieces.push({ from, text: text.slice(from, from + cut), indent });
    from += cut;
    indent = Math.min(own + INDENT, letters / 2);
  }
  pieces.push({ from, text: text.slice(from), indent });
  return pieces;
}

/**
 * The code in the largest letters with which it fits its box. An aside stands behind its line, or above it.
 *
 * @param {readonly string[]} lines @param {ReadonlyMap<number, string>} asides by line @param {CodeBox} box
 * @returns {LaidCode}
 */
export function layCode(lines, asides, box) {
  for (let size = box.most; ; size -= 0.5) {
    const smallest = size - 0.5 < box.least;
    const laid = layIn(lines, asides, box, size, smallest ? TIGHT : LEADING[0]);
    if (laid.foot <= box.top + box.high + 0.5 || smallest) return laid;
  }
}

/**
 * @param {readonly string[]} lines @param {ReadonlyMap<number, string>} asides @param {CodeBox} box @param {number} size
 * @param {number} leading the least
 * @returns {LaidCode}
 */
function layIn(lines, asides, { left, top, room, high }, size, leading) {
  const letter = size * LETTER;
  const letters = Math.floor(room / letter);
  const rows = lines.map((text, line) => {
    const pieces = breakLine(text, letters);
    const aside = asides.get(line);
    const behind = !aside || (pieces.length === 1 && text.length + 2 + aside.length <= letters);
    return { line, text, pieces, aside, behind };
  });
  const count = rows.reduce((sum, { pieces, behind }) => sum + pieces.length + (behind ? 0 : 1), 0);
  const step = Math.min(Math.max(high / count, leading * size), LEADING[1] * size);
  /** @type {LaidCode} */
  const laid = { size, letter, step, pieces: [], asides: [], foot: top };
  let row = 0;
  const base = () => top + row * step + step / 2 + size * 0.34;
  for (const { line, text, pieces, aside, behind } of rows) {
    const own = text.length - text.trimStart().length;
    if (aside && !behind) {
      laid.asides.push({ line, text: aside, x: left + own * letter, y: base() });
      row++;
    } else if (aside) laid.asides.push({ line, text: aside, x: left + (text.length + 2) * letter, y: base() });
    for (const piece of pieces) {
      laid.pieces.push({ line, from: piece.from, text: piece.text, x: left + piece.indent * letter, y: base() });
      row++;
    }
  }
  laid.foot = top + row * step;
  return laid;
}

/**
 * Where a part of a line stands: a box in each piece that has some of it.
 *
 * @param {LaidCode} laid @param {number} line @param {number} start @param {number} end
 */
export function boxesOf({ pieces, letter, size }, line, start, end) {
  return pieces
    .filter((piece) => piece.line === line && start < piece.from + piece.text.length && end > piece.from)
    .map(({ from, text, x, y }) => {
      const [first, last] = [Math.max(start - from, 0), Math.min(end - from, text.length)];
      return { x: x + first * letter, y: y - size * 0.98, wide: (last - first) * letter, high: size * 1.3 };
    });
}

/**
 * The text of a piece, its keywords bold: each run of letters of one weight by itself, and what stands behind a gap.
 *
 * @param {Pen} pen @param {LaidCode} laid @param {Piece} piece @param {TextLook} look
 */
export function writePiece(pen, { size, letter }, { line, from, text, x, y }, look = {}) {
  let at = 0;
  for (const run of text.split(RUNS)) {
    const start = at + run.length - run.trimStart().length;
    const more = { key: `code ${line} ${from + at}`, size, bold: KEYWORD.test(run), ...look };
    if (run.trim()) writeCode(pen, x + start * letter, y, run.trim(), more);
    at += run.length;
  }
}

/**
 * A text in the letters of code; spaces that a drawing would drop are hard ones.
 *
 * @param {Pen} pen @param {number} x @param {number} y @param {string} text @param {TextLook} look
 */
export const writeCode = (pen, x, y, text, look = {}) =>
  pen.text(x, y, text.replaceAll(" ", "\u00a0"), { ...FONT, ...look });

/** @param {string} text @param {number} size */
export const codeWidth = (text, size) => text.length * size * LETTER;
