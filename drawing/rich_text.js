// Sentences and formulas with live numbers: **bold**, ==marked==, [role|coloured], and {name} for a number.
//
// {name} is the number now, {name<} the one before the drag, {name:p} in parentheses where negative.
// A backslash escapes the next character; drawing/live.py escapes typed text with it.

import { html } from "./dom.js";
import { formatNumber, operand } from "./numbers.js";

/** @import { Attributes } from "./types.js" */
/** @typedef {"b" | "mark" | "span"} Tag */
/** @typedef {{ text: string } | { tag: Tag, role: string | undefined, inside: Part[] }} Part */
/**
 * The value of a name: a number, or a text; with `before`, as it was before the drag.
 *
 * @typedef {(name: string, before: boolean) => number | string} Lookup
 */
/** @typedef {[node: Text, text: string]} Leaf a node of text, and its template */

const SLOT = /\{([^{}:<]+)(<)?(:p)?\}/g;
const BRACE = "\uE000"; // a typed brace, which opens no slot
const OPEN = /\\(.)|\*\*|==|\[([a-z][\w-]*)\||\]/gs;

/** @type {Map<string, Part[]>} */
const parsed = new Map();

/**
 * The parts of a template, nested as its marks are.
 *
 * @param {string} template @returns {Part[]}
 */
export function parse(template) {
  const known = parsed.get(template);
  if (known) return known;
  const whole = /** @type {Part[]} */ ([]);
  const open = [{ mark: "", inside: whole }];
  const top = () => open[open.length - 1];
  /** @param {string} text */
  const add = (text) => {
    const last = top().inside.at(-1);
    if (!text) return;
    if (last && "text" in last) last.text += text;
    else top().inside.push({ text });
  };
  let at = 0;
  for (const found of template.matchAll(OPEN)) {
    add(template.slice(at, found.index));
    at = found.index + found[0].length;
    const [mark, escaped, role] = found;
    if (escaped !== undefined) add(escaped === "{" ? BRACE : escaped);
    else if (mark === top().mark) open.pop();
    else if (mark === "]") add(mark);
    else {
      const inside = /** @type {Part[]} */ ([]);
      top().inside.push({ tag: mark === "**" ? "b" : mark === "==" ? "mark" : "span", role, inside });
      open.push({ mark: role ? "]" : mark, inside });
    }
  }
  add(template.slice(at));
  if (parsed.size > 500) parsed.clear();
  parsed.set(template, whole);
  return whole;
}

/** @type {WeakMap<HTMLElement, { key: string, leaves: Leaf[] }>} */
const written = new WeakMap();

/**
 * Writes templates into an element; the nodes are built once per template, afterwards only numbers change.
 *
 * @param {HTMLElement} element @param {string[]} templates @param {Lookup} number
 */
export function write(element, templates, number) {
  const key = templates.join("\n");
  let its = written.get(element);
  if (its?.key !== key) {
    /** @type {Leaf[]} */
    const leaves = [];
    const lines = templates.map((template) => {
      const line = html("span", { class: "rich" });
      build(line, parse(template), leaves);
      return line;
    });
    element.replaceChildren(...lines);
    written.set(element, (its = { key, leaves }));
  }
  for (const [node, text] of its.leaves) {
    const filled = fillText(text, number);
    if (node.data !== filled) node.data = filled;
  }
}

/**
 * The text of a template without its marks.
 *
 * @param {string} template @param {Lookup} number
 */
export const plainText = (template, number) =>
  flat(parse(template))
    .map((text) => fillText(text, number))
    .join("");
/** @type {(parts: Part[]) => string[]} */
const flat = (parts) => parts.flatMap((part) => ("text" in part ? [part.text] : flat(part.inside)));

/** @param {HTMLElement} parent @param {Part[]} parts @param {Leaf[]} leaves */
function build(parent, parts, leaves) {
  for (const part of parts) {
    if ("text" in part) {
      const node = document.createTextNode("");
      leaves.push([node, part.text]);
      parent.append(node);
    } else {
      /** @type {Attributes} */
      const explained = part.role === "term" ? { tabindex: "0", role: "note" } : {};
      build(html(part.tag, part.role ? { class: part.role, ...explained } : {}, parent), part.inside, leaves);
    }
  }
}

/** @param {string} text @param {Lookup} number */
export function fillText(text, number) {
  const filled = text.replace(SLOT, (_, name, before, parenthesised) => {
    const value = number(name, before !== undefined);
    return typeof value === "string" ? value : (parenthesised ? operand : formatNumber)(value);
  });
  return filled.replaceAll(BRACE, "{");
}
