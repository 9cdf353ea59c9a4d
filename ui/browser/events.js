// The events that a picture sends to the server, and their echoes.

/**
 * A sender: its function, the positions that were sent and not yet answered, and the timer of the next one.
 *
 * @template Key, Event
 * @typedef {{ send: (event: Event) => void, sent?: Key[], timer?: number }} Sender
 */

/**
 * Whether `key`, the server's position, is new: false for the echo of a position that was sent from here. While a
 * slider is dragged, the browser is ahead of the server.
 *
 * @template Key @param {{ sent?: Key[] }} sender @param {Key} key
 */
export function isNews(sender, key) {
  const sent = (sender.sent ??= []);
  const echoed = sent.indexOf(key);
  sender.sent = echoed >= 0 ? sent.slice(echoed) : [key];
  return echoed < 0;
}

/**
 * Send the value, by default the key of the position, once it has not changed for a moment; never while the slider
 * is held.
 *
 * @template Key, Event
 * @param {Sender<Key, Event>} sender
 * @param {Key} key
 * @param {{ value?: Event, held?: boolean }} its
 */
export function sendAtRest(
  sender,
  key,
  { value = /** @type {Event} */ (/** @type {unknown} */ (key)), held = false } = {},
) {
  clearTimeout(sender.timer);
  if (held) return;
  sender.timer = setTimeout(() => {
    (sender.sent ??= []).push(key);
    sender.send(value);
  }, REST);
}
const REST = 300;
