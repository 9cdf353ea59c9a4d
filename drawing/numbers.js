// Numbers as lmcore.numbers prints them, and texts with numbers in them. Nothing here computes a quantity that a reader
// would call a result.

/** @import { Values } from "./types.js" */

/**
 * The same rule as lmcore.numbers.format_number: four significant digits, no spurious zeros.
 *
 * @param {number} value
 */
export function formatNumber(value) {
  if (Number.isNaN(value)) return "undefined";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const [mantissa, exponent] = size.toExponential(3).split("e");
  const power = Number(exponent);
  /** @param {string} text */
  const near = (text) => Math.abs(Number(text) - size) <= 1e-12 * size;
  /** @param {string} text @param {boolean} exact */
  const shorten = (text, exact) => (exact && text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text);
  let text;
  if (power >= -4 && power < 5) {
    text = size.toFixed(Math.max(3 - power, 0));
    text = shorten(text, near(text));
  } else {
    text = `${shorten(mantissa, near(`${mantissa}e${power}`))}×10${raised(power)}`;
  }
  return value < 0 ? `−${text}` : text;
}

/**
 * A whole number in superscript digits.
 *
 * @param {number} power
 */
export function raised(power) {
  return String(power).replace(/[-0-9]/g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);
}

/**
 * A number in parentheses where it is negative.
 *
 * @param {number} value
 */
export function operand(value) {
  const text = formatNumber(value);
  return text.startsWith("−") ? `(${text})` : text;
}

/**
 * "{z}" becomes the number called z, "{z:p}" the same in parentheses where it is negative.
 *
 * @param {string} template @param {Values} values
 */
export function fill(template, values) {
  return template.replace(SLOT, (_, name, parenthesised) => (parenthesised ? operand : formatNumber)(values(name)));
}
const SLOT = /\{([^{}:]+)(:p)?\}/g;

/**
 * Like `fill`, but with every digit, for a CSV.
 *
 * @param {string} template @param {Values} values
 */
export const fillWhole = (template, values) => template.replace(SLOT, (_, name) => String(values(name)));
