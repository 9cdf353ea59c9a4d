// Where the parts of an LSTM cell are drawn.

/** @typedef {{ width: number, height: number }} Size */
/** @typedef {{ top: number, foot: number }} Lane */
/** @typedef {ReturnType<typeof widePlaces>} Places */

/**
 * Wide: the memory at the top, writing and reading side by side below it, then the numbers z.
 *
 * @param {Size} size
 */
export function widePlaces({ width, height }) {
  const x = (/** @type {number} */ at) => (at * width) / 1038;
  const room = Math.min(0.594 * height, height - 166); // of both pipes and what is between them
  const top = { top: 62, foot: 62 + 0.471 * room };
  const low = { top: top.foot + 0.175 * room, foot: top.foot + 0.529 * room };
  const bus = height - 16;
  return {
    narrow: false,
    top,
    low,
    bus,
    back: 19,
    axis: 13,
    label: 15,
    number: 18,
    middle: width / 2,
    x: {
      start: 48,
      forget: x(238),
      join: x(520),
      joined: x(520) + 52,
      end: width - 30,
      candidate: x(296),
      input: x(424),
      squashed: x(640),
      drop: x(664),
      dropped: x(664) + 46,
      output: x(788),
      shown: x(896),
    },
    out: { x: width - 48, r: 36 },
    knobs: bus - 33,
    knobWidth: 84,
    knob: { z_f: x(238), z_c: x(332), z_i: x(424), z_o: x(788) },
    box: { left: 14, right: 154 },
    h: 48,
    e: 122,
    inputs: low.top + 34,
  };
}

/**
 * Narrow: the same without the wires, and with the numbers z in a row.
 *
 * @param {Size} size @returns {Places}
 */
export function narrowPlaces({ width, height }) {
  const x = (/** @type {number} */ at) => (at * width) / 350;
  const room = height - 46 - 48 - 26 - 15 - 56;
  const top = { top: 46, foot: 46 + 0.56 * room };
  const low = { top: top.foot + 48, foot: top.foot + 48 + 0.44 * room };
  return {
    narrow: true,
    top,
    low,
    bus: 0,
    back: 14,
    axis: 13,
    label: 13,
    number: 14,
    middle: width / 2,
    x: {
      start: x(28),
      forget: x(104),
      join: x(184),
      joined: x(184) + 30,
      end: width - 20,
      candidate: x(28),
      input: x(104),
      squashed: x(236),
      drop: x(242),
      dropped: x(242) + 22,
      output: x(290),
      shown: width - 6,
    },
    out: { x: 0, r: 0 },
    knobs: height - 50,
    knobWidth: Math.min(82, width / 4 - 6),
    knob: { z_f: width / 8, z_i: (3 * width) / 8, z_c: (5 * width) / 8, z_o: (7 * width) / 8 },
    box: { left: 0, right: 0 },
    h: 0,
    e: 0,
    inputs: 0,
  };
}

/**
 * The scale of a lane: 0 in its middle, ±reach at its walls.
 *
 * @param {Lane} lane @param {number} reach
 */
export function levels({ top, foot }, reach) {
  const [mid, half] = [(top + foot) / 2, (foot - top) / 2];
  const y = (/** @type {number} */ value) => mid - half * Math.max(-1, Math.min(1, value / reach));
  return { y, mid, half };
}
