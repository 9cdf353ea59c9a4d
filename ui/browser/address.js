// Back and Forward: one entry of the history a page, an example, a view or a beat; none for a drag or a
// number that is typed. ui/desk.py sets the controls as the address says.

const ENTRIES = ".st-key-strip, .st-key-pills, .st-key-look, .st-key-turns, .st-key-present-start, .st-key-tour-start, [data-testid=stPopoverBody] [role=radiogroup]";
const WAIT = 5000; // ms in which the address may follow what was pressed

let chosen = -Infinity;

/** Mark what is chosen now as an entry of the history. */
export const choose = () => (chosen = performance.now());

export function followAddress() {
  if (history.pushState.name === "enter") return;
  const push = history.pushState.bind(history);
  history.pushState = function enter(state, unused, url) {
    const to = new URL(url ?? "", location.href);
    const entry = to.pathname !== location.pathname || performance.now() - chosen < WAIT;
    chosen = -Infinity;
    if (to.href === location.href) return;
    if (entry) push(state, unused, url);
    else history.replaceState(state, unused, url);
  };
  const pressed = (event) => {
    if (event.composedPath().some((node) => node.matches?.(ENTRIES))) choose();
  };
  window.addEventListener("click", pressed, { capture: true });
}
