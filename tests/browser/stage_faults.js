// What is wrong with the stage of the page: evaluated in the page by test_stage.py, with the rows that must lie
// in the window.
(asked) => {
  const figure = [...document.querySelectorAll('*')].map((n) => n.shadowRoot?.querySelector('.figure')).find(Boolean);
  const svg = figure.querySelector('.box svg'), unit = Number(figure.dataset.unit);
  const box = (node) => { const b = node.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; };
  const inside = (a, b, by = 1) => a[0] >= b[0] - by && a[1] >= b[1] - by && a[2] <= b[2] + by && a[3] <= b[3] + by;
  const screen = [0, 0, innerWidth, innerHeight], wrong = [], boxes = {};
  for (const name of asked.rows) {
    const node = document.querySelector(`.st-key-${name}`);
    if (!node) { wrong.push(`${name} is not there`); continue; }
    boxes[name] = box(node).map(Math.round);
    if (!inside(box(node), screen)) wrong.push(`${name} leaves the screen: ${box(node).map(Math.round)}`);
  }
  const said = figure.querySelector('.said'), formula = figure.querySelector('.formula');
  for (const row of [said, formula]) {
    if (row.getClientRects().length && (row.scrollWidth > row.clientWidth + 1 || row.scrollHeight > row.clientHeight + 2))
      wrong.push(`does not fit: ${row.textContent}`);
  }
  const [left, top, right, bottom] = box(svg);
  const share = ((right - left) * (bottom - top)) / (innerWidth * innerHeight);
  const scrolls = svg.querySelector('[data-scrolls]');
  const texts = [...svg.querySelectorAll('text')].filter((t) => t.textContent.trim() && t.getBoundingClientRect().width && !t.closest('[data-scrolls]'));
  const least = Math.min(...texts.map((t) => parseFloat(t.getAttribute('font-size') ?? getComputedStyle(t).fontSize))) * unit;
  const places = texts.map((t) => { const b = box(t), h = (b[3] - b[1]) * 0.22; return [b[0] + 1, b[1] + h, b[2] - 1, b[3] - h]; });
  texts.forEach((t, i) => { if (!inside(places[i], box(svg))) wrong.push(`outside: ${t.textContent}`); });
  for (let i = 0; i < texts.length; i++) for (let j = 0; j < i; j++) {
    const [a, b] = [places[i], places[j]];
    if (a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]) wrong.push(`over another: ${texts[i].textContent} / ${texts[j].textContent}`);
  }
  const wide = document.scrollingElement.scrollWidth - innerWidth;
  if (wide > 0) wrong.push(`${wide} px wider than the screen`);
  return { wrong, boxes, share, least, texts: texts.length, scrolls: Boolean(scrolls) };
}
