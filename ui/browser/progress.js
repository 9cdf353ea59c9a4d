// Which pages a visitor has completed: stored in this browser only, never sent.

const KEY = "lml-done";
const root = document.documentElement;

/** @returns {string[]} the pages whose tour or beats were followed to the end */
export function donePages() {
  try {
    const read = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(read) ? read.filter((each) => typeof each === "string") : [];
  } catch {
    return []; // no storage, or not ours
  }
}

/** @param {string} page */
export function markDone(page) {
  store([...new Set([...donePages(), page])]);
}

export function forgetDone() {
  store([]);
}

const ANSWERS = "lml-answers";

/** @returns {Record<string, "right" | "wrong">} what was answered to each question of an objective */
export function answers() {
  try {
    const read = JSON.parse(localStorage.getItem(ANSWERS) ?? "{}");
    const kept = read && typeof read === "object" && !Array.isArray(read) ? read : {};
    return Object.fromEntries(Object.entries(kept).filter(([, verdict]) => verdict === "right" || verdict === "wrong"));
  } catch {
    return {}; // no storage, or not ours
  }
}

/**
 * Store an answer; a right answer stays right.
 *
 * @param {string} id @param {"right" | "wrong"} verdict
 */
export function markAnswer(id, verdict) {
  const kept = answers();
  if (kept[id] === "right" || kept[id] === verdict) return;
  keepAnswers({ ...kept, [id]: verdict });
}

export const forgetAnswers = () => keepAnswers({});

/** @param {Record<string, "right" | "wrong">} kept */
function keepAnswers(kept) {
  try {
    localStorage.setItem(ANSWERS, JSON.stringify(kept));
  } catch {
    // a private window: nothing is stored
  }
}

// Sets an attribute for the styles of Home.
export function showDone() {
  root.dataset.done = donePages().join(" ");
}

/** @param {string[]} pages */
function store(pages) {
  try {
    localStorage.setItem(KEY, JSON.stringify(pages));
  } catch {
    // a private window: nothing is stored
  }
  showDone();
}
