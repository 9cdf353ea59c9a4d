// Draws a main picture in two states, and reads it halfway from one to the other, and in the end. Time stands still but
// for the steps taken here.
async ({ library, name, kept, from, to }) => {
  let clock = 0;
  let waiting = [];
  performance.now = () => clock;
  window.requestAnimationFrame = (call) => waiting.push(call);
  window.cancelAnimationFrame = (turn) => (waiting[turn - 1] = () => undefined);
  const pass = (time) => {
    clock += time;
    const calls = waiting;
    waiting = [];
    calls.forEach((call) => call(clock));
  };
  const bytes = (packed) => Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));

  if (!globalThis.lmlLibrary) {
    const load = (await import(URL.createObjectURL(new Blob([library], { type: "text/javascript" })))).default;
    load({
      data: { mode: "light", key: "" },
      parentElement: document.body.attachShadow({ mode: "open" }),
      setTriggerValue() {},
    });
  }
  const { draw } = await globalThis.lmlLibrary.promise;
  const host = document.createElement("div");
  document.documentElement.append(host);
  host.style.cssText = "position: fixed; inset: 0; height: 640px; width: 1200px";
  const parentElement = host.attachShadow({ mode: "open" });
  const show = (data, component = name) => draw(component, { data: bytes(data), parentElement, setTriggerValue() {} });

  let painted = [];
  for (const method of ["fillText", "strokeText"]) {
    const paint = CanvasRenderingContext2D.prototype[method];
    CanvasRenderingContext2D.prototype[method] = function (text, ...more) {
      painted.push(text);
      return paint.call(this, text, ...more);
    };
  }
  const figure = () => parentElement.querySelector(".stage.figure");
  const read = () => {
    const walker = document.createTreeWalker(figure(), NodeFilter.SHOW_TEXT);
    const words = new Set(painted);
    while (walker.nextNode()) words.add(walker.currentNode.textContent);
    figure()
      .querySelectorAll("[aria-label]")
      .forEach((each) => words.add(each.getAttribute("aria-label")));
    return [...words].filter((text) => text);
  };

  for (const [keeper, data] of kept) await show(data, keeper);
  await show(from);
  await new Promise((resolve) => setTimeout(resolve, 30)); // until the box has its size
  pass(20);
  pass(20);
  const start = read();
  await show(to);
  pass(0);
  painted = [];
  pass(120);
  const halfway = {
    running: "running" in figure().dataset,
    words: read(),
    marks: figure().querySelector("svg").outerHTML,
  };
  painted = [];
  for (let frame = 0; frame < 60; frame++) pass(50);
  const end = { words: read(), marks: figure().querySelector("svg").outerHTML };
  host.remove();
  return {
    running: halfway.running,
    moved: halfway.marks !== end.marks,
    strange: halfway.words.filter((text) => ![...start, ...end.words].includes(text)),
  };
};
