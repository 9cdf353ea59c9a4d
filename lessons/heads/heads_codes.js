// Reads what lmcore.attention.weight_packing wrote: 12 bits per weight, two in three bytes. A code is a rounded decimal
// number, and grows with the weight. The rules are those of lmcore.attention.weight_packing; a browser test checks
// that.

/** @import { Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["heads"]} Data */
/** @typedef {{ threshold: number, faint: boolean }} Filters weights under the threshold are left blank */

const ZERO = 0;
const SMALLER = 1;
// From code `first` on: steps of `step` millionths, from `start` steps, printed with `decimals` decimals.
const DECADES = [
  { first: 2, start: 10, step: 1, decimals: 6 },
  { first: 92, start: 100, step: 1, decimals: 6 },
  { first: 992, start: 100, step: 10, decimals: 5 },
  { first: 1892, start: 100, step: 100, decimals: 4 },
  { first: 2792, start: 100, step: 1000, decimals: 3 },
];
export const CODES = 3693;

/**
 * @param {Uint8Array} bytes
 * @param {number} count of weights
 */
export function decode(bytes, count) {
  const codes = new Uint16Array(count + 1);
  for (let at = 0, to = 0; to < count; at += 3, to += 2) {
    const middle = bytes[at + 1];
    codes[to] = (bytes[at] << 4) | (middle >> 4);
    codes[to + 1] = ((middle & 15) << 8) | bytes[at + 2];
  }
  return codes;
}

/** @param {number} code from 2 on */
const decadeOf = (code) => /** @type {(typeof DECADES)[number]} */ (DECADES.findLast((decade) => code >= decade.first));

/** @param {number} code */
function valueOf(code) {
  if (code <= SMALLER) return 0;
  const { first, start, step } = decadeOf(code);
  return ((start + code - first) * step) / 1e6;
}

/** @param {number} code */
export function textOf(code) {
  if (code === ZERO) return "0";
  if (code === SMALLER) return "< 0.00001";
  return valueOf(code).toFixed(decadeOf(code).decimals);
}

export const VALUES = Float64Array.from({ length: CODES }, (_, code) => valueOf(code));

/**
 * The colour of every code, as the bytes of an ImageData.
 *
 * @param {Pick<Data, "scale">} data
 * @param {Filters} filters
 * @param {string} blank the colour of blank weights
 */
export function paints(data, filters, blank) {
  const scale = data.scale.map(pixelOf);
  return Uint32Array.from(VALUES, (value) =>
    value < filters.threshold ? pixelOf(blank) : scale[Math.round(share(value, filters) * (scale.length - 1))],
  );
}

/**
 * A colour as in ImageData, in the byte order of all machines that browsers run on.
 *
 * @param {string} hex
 */
function pixelOf(hex) {
  const [red, green, blue] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/**
 * How far along the colour scale a weight is.
 *
 * @param {number} value @param {Pick<Filters, "faint">} filters
 */
export const share = (value, { faint }) => (faint ? Math.sqrt(value) : value);
