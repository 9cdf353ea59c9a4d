// Numbers of a column as text, and interpolation between the sizes of a small and a large column.

const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";

/** @param {number} number as a subscript */
export const sub = (number) => String(number).replace(/\d/g, (digit) => SUBSCRIPTS[Number(digit)]);

/** @type {(a: number, b: number, share: number) => number} */
export const between = (a, b, share) => a + (b - a) * share;

/** @param {number} value shown with two decimals */
export const short = (value) => (value > 0 && value < 0.005 ? "<0.01" : value.toFixed(2).replace("-", "−"));
