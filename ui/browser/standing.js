// Marks the page as drawn: until then assets/desk.css hides what would jump into its place.

const root = document.documentElement;
let waiting = false;

/** Marks the document once the last part of its first page is there, and the scripts of its widgets have come. */
export function stand() {
  if ("stands" in root.dataset || waiting) return;
  waiting = true;
  const look = () => {
    if (!document.querySelector(".st-key-neighbours") || document.querySelector("[data-testid=stSkeleton]"))
      return void requestAnimationFrame(look);
    requestAnimationFrame(() => setTimeout(() => (root.dataset.stands = ""))); // in a frame of its own, what has moved unseen is seen
  };
  look();
}
