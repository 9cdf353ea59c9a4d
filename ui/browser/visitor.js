// Who visits, where the browser keeps no cookie that says so (ui/visitors.py): the page knows a secret instead.

let key = "";

/** @param {{ data: { key: string } }} component */
export function followVisitor({ data }) {
  key = data.key;
}

/**
 * What is sent with an order to a run, so that the server knows whose it is.
 *
 * @returns {Record<string, string>}
 */
export const visitorHeaders = () => (key ? { "run-key": key } : {});
