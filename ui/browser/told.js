// What a picture tells the server, and what it hears back from it.

// What a hand moves is ahead of the server. `key` names where the server says it is: news, unless it is
// the echo of a place that was told from here.
export function isNews(root, key) {
  const echoed = (root.told ??= []).indexOf(key);
  root.told = echoed >= 0 ? root.told.slice(echoed) : [key];
  return echoed < 0;
}

// A hand that still holds the slider has not come to rest: nothing is told.
export function tellAtRest(root, key, { value = key, held = false } = {}) {
  clearTimeout(root.timer);
  if (held) return;
  root.timer = setTimeout(() => {
    root.told.push(key);
    root.tell(value);
  }, REST);
}
const REST = 300;
