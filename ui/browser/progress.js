// Which pages a person has been through: remembered by this browser only, never sent.

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

export function markDone(page) {
  store([...new Set([...donePages(), page])]);
}

export function forgetDone() {
  store([]);
}

// For the styles of Home.
export function showDone() {
  root.dataset.done = donePages().join(" ");
}

function store(pages) {
  try {
    localStorage.setItem(KEY, JSON.stringify(pages));
  } catch {
    // a private window: nothing is remembered
  }
  showDone();
}
