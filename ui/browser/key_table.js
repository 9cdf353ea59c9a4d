// The keys of every page, and of the speaker's window.

/**
 * What each key does. A clicker sends the Page keys and ".": forward, back, and a blank screen.
 *
 * @type {Record<string, string>}
 */
const SHORTCUTS = {
  ArrowRight: "onward",
  PageDown: "onward",
  " ": "onward",
  ArrowLeft: "back",
  PageUp: "back",
  b: "blank",
  ".": "blank",
  c: "controls",
  d: "draw",
  f: "fill",
  g: "slides",
  n: "next",
  p: "present",
  q: "code",
  Escape: "leave",
};
const ROLES = ["button", "checkbox", "option", "radio", "slider", "switch", "tab"];
const PRESSED = ["button, a, input, select, summary, [data-arrows]", ...ROLES.map((role) => `[role=${role}]`)].join(); // by Space

/**
 * What a key does; "" if nothing, for a key with a modifier, and for a space that presses the focused element.
 *
 * @param {KeyboardEvent} event
 */
export function shortcutOf(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return "";
  const where = /** @type {Element} */ (event.composedPath()[0]);
  if (event.key === " " && where?.closest?.(PRESSED)) return "";
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return Object.hasOwn(SHORTCUTS, key) ? SHORTCUTS[key] : "";
}

const CHOOSES = "[role=combobox], [aria-expanded=true]"; // an open list handles Enter and Escape itself

/**
 * Whether a key leaves the field that it is pressed in, and does nothing else: Escape, and while presenting Enter,
 * so that the arrows turn the beats again. In a field of several lines Enter is a new line.
 *
 * @param {KeyboardEvent} event @param {Element} field @param {boolean} presenting
 */
export function isLeft(event, field, presenting) {
  if (field.matches(CHOOSES)) return false;
  const taken = event.key === "Enter" && (field.tagName === "INPUT" || event.ctrlKey || event.metaKey);
  return event.key === "Escape" || Boolean(presenting && taken);
}
