// Where the parts of the strategies are drawn on a wide stage.

/** @import { Strategies, StrategiesScene } from "./strategies_scene.js" */
/** @typedef {ReturnType<typeof placesOf>} Places */

/** @param {StrategiesScene} scene @param {Strategies} strategies */
export function placesOf({ width, height, data }, { lanes }) {
  const card = 98;
  const [top, foot] = [12, height - card - 22];
  const rows = data.rows.length + 1; // of the first choice: the tokens that are shown, and the others
  return {
    left: 20,
    choice: 286, // where the ribbons begin
    lanes: 340, // where they end
    right: width - 16,
    top,
    foot,
    lane: (foot - top) / lanes.length,
    rows,
    row: (foot - 92 - top - 36) / rows,
    bars: { left: 112, width: 118 },
    cards: height - card - 10,
    card,
  };
}

/**
 * The middle of a row of the first choice.
 *
 * @param {Places} at @param {number} row
 */
export const rowAt = (at, row) => at.top + 52 + (row + 0.5) * at.row;
