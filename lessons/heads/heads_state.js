// What is open, what is followed and which filters are set: read from the state of the picture.

/** @import { Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["heads"]} Data */

const SHARED = ["layer", "head", "query", "key", "special", "threshold", "between", "faint"];
export const sharedOf = (at) => JSON.stringify(SHARED.map((name) => at[name]));

/**
 * What the small pictures depend on, beside the weights.
 *
 * @param {Picture<Data>} picture
 */
export const filtersOf = (picture) => JSON.stringify([viewOf(picture), picture.at.threshold, picture.at.faint]);

/** @param {Picture<Data>} picture */
export function codeAt({ codes, data }, { layer, head }, query, key) {
  const count = data.tokens.length;
  return codes[((layer * data.heads + head) * count + query) * count + key];
}

/**
 * The places that look and the places looked at, as the filters leave them.
 *
 * @param {Picture<Data>} picture
 */
export function viewOf({ data, at }) {
  const places = data.tokens.map((_, place) => place);
  const shown = (side) => places.filter(
    (place) => !(at.special && data.special[place]) && (at.between === "all" || data.segments[place] === "AB".indexOf(at.between[side])),
  );
  const [rows, columns] = [shown(0), shown(1)];
  return rows.length && columns.length ? { rows, columns } : { rows: places, columns: places };
}

/**
 * A token that is pointed at is followed as long as it is; one that was pressed, until pressed again.
 *
 * @param {Picture<Data>} picture
 */
export function followedNow({ at, point }) {
  return { query: point?.query ?? at.query, key: point?.key ?? at.key };
}
