// Identifies the visitor of a browser that keeps no cookie (ui/visitors.py): the page has a secret instead.

let key = "";

/** @param {{ data: { key: string } }} component */
export function followVisitor({ data }) {
  key = data.key;
}

/**
 * The headers that identify the visitor in an order to a run.
 *
 * @returns {Record<string, string>}
 */
export const visitorHeaders = () => (key ? { "run-key": key } : {});
