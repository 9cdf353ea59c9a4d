// The events that a picture sends to the server, and their echoes.

// While a slider is dragged, the browser is ahead of the server. `key` names the server's position; the
// answer is false if it is the echo of a position that was sent from here.
export function isNews(root, key) {
  const echoed = (root.sent ??= []).indexOf(key);
  root.sent = echoed >= 0 ? root.sent.slice(echoed) : [key];
  return echoed < 0;
}

// Send the value once it has not changed for a moment; never while the slider is held.
export function sendAtRest(root, key, { value = key, held = false } = {}) {
  clearTimeout(root.timer);
  if (held) return;
  root.timer = setTimeout(() => {
    root.sent.push(key);
    root.send(value);
  }, REST);
}
const REST = 300;
