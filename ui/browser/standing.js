// Marks the page as drawn: until then assets/desk.css hides what would jump into place.

const root = document.documentElement;
let waiting = false;

/** Mark the document once the last part of its first page is there and the scripts of its widgets have arrived. */
export function stand() {
  if ("stands" in root.dataset || waiting) return;
  waiting = true;
  const look = () => {
    if (!document.querySelector(".st-key-neighbours") || document.querySelector("[data-testid=stSkeleton]"))
      return void requestAnimationFrame(look);
    // One frame later, so that nobody sees what has moved before.
    requestAnimationFrame(() => setTimeout(() => (root.dataset.stands = "")));
  };
  look();
}
