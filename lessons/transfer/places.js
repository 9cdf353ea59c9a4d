// Where the parts of the picture of transfer stand: the network on the left, the curves on the right.

const NAMES = 116; // beside the curves
const FOOT = 62; // under the network, for the tokens
const GAP = 6;

/** @param {{ width: number, height: number, narrow: boolean, data: any }} scene */
export function places({ width, height, narrow, data }) {
  return narrow ? onPhone(width, height, data.parts.length) : onScreen(width, height, data.parts.length);
}

function onScreen(width, height, count) {
  const wide = Math.min(0.4 * width, 520);
  const left = 8;
  const head = { left: left + 0.4 * wide, top: 6, wide: 0.6 * wide, high: 52 };
  const gone = { left, top: 6, wide: 0.4 * wide - 14, high: 52 };
  const vectors = head.top + head.high + 30;
  const [top, bottom] = [vectors + 14, height - FOOT - 4];
  const high = (bottom - top - GAP * (count - 1)) / count;
  return {
    small: false,
    wide,
    head,
    gone,
    vectors,
    words: bottom + 10,
    names: NAMES,
    part: (k) => ({ left, top: bottom - (k + 1) * high - k * GAP, wide, high }),
    column: (many, slanted) => (i) =>
      left + (slanted ? 44 : 20) + ((wide - (slanted ? 64 : 40)) * i) / Math.max(many - 1, 1),
    curves: { left: left + wide + 84, top: 30, wide: width - wide - left - 84 - NAMES - 8, high: height - 84 },
  };
}

// The parts in a row, from left to right.
function onPhone(width, height, count) {
  const high = 48;
  const wide = (width - 8 - GAP * count) / (count + 1);
  const top = height - high - 4;
  return {
    small: true,
    wide,
    head: { left: 4 + count * (wide + GAP), top, wide, high },
    gone: null,
    vectors: 0,
    words: 0,
    names: 20,
    part: (k) => ({ left: 4 + k * (wide + GAP), top, wide, high }),
    column: () => () => 0,
    curves: { left: 40, top: 28, wide: width - 62, high: height - high - 100 },
  };
}

/** The scales of the curves: labels as powers of ten, shares from a little under the lowest. */
export function curvesBox(data, { left, top, wide, high }) {
  const all = [...data.depths, data.scratch].flatMap(({ low }) => Array.from(low)).filter(Number.isFinite);
  const least = Math.min(data.chance, ...all);
  const low = Math.max(0, Math.floor(4 * least) / 4);
  const [first, last] = [Math.log10(data.counts[0]), Math.log10(data.counts[data.counts.length - 1])];
  return {
    low,
    x: (count) => left + ((Math.log10(count) - first) / (last - first)) * wide,
    y: (share) => top + (1 - (share - low) / (1.03 - low)) * high,
  };
}
