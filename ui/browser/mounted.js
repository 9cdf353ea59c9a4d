// A component may be mounted in its new place before it is removed from its old one.

/** @type {WeakMap<() => void, unknown>} */
const places = new WeakMap();

/**
 * What a component returns: `leave`, which is called only if the component is mounted nowhere else by then.
 *
 * @param {() => void} leave undoes what the component did to the page; the same function at every call
 * @param {unknown} place where the component is mounted
 */
export function leaving(leave, place) {
  places.set(leave, place);
  return () => {
    if (places.get(leave) === place) leave();
  };
}
