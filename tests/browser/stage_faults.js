// What is wrong with the stage of the page: evaluated in the page by test_stage.py, with the rows that must lie
// in the window, and whether the page may scroll to them.
(asked) => {
  const figure = [...document.querySelectorAll("*")].map((n) => n.shadowRoot?.querySelector(".figure")).find(Boolean);
  const svg = figure.querySelector(".box svg"),
    unit = Number(figure.dataset.unit);
  const box = (node) => {
    const b = node.getBoundingClientRect();
    return [b.left, b.top, b.right, b.bottom];
  };
  const inside = (a, b, by = 1) => a[0] >= b[0] - by && a[1] >= b[1] - by && a[2] <= b[2] + by && a[3] <= b[3] + by;
  // Where the page may scroll, what lies further down can be reached.
  const screen = [0, 0, innerWidth, asked.scrolls ? document.querySelector(".stMain").scrollHeight : innerHeight],
    wrong = [],
    boxes = {};
  for (const name of asked.rows) {
    const node = document.querySelector(`.st-key-${name}`);
    if (!node) {
      wrong.push(`${name} is not there`);
      continue;
    }
    boxes[name] = box(node).map(Math.round);
    if (!inside(box(node), screen)) wrong.push(`${name} leaves the screen: ${box(node).map(Math.round)}`);
  }
  const said = figure.querySelector(".said"),
    formula = figure.querySelector(".formula");
  for (const row of [said, formula]) {
    if (
      row.getClientRects().length &&
      (row.scrollWidth > row.clientWidth + 1 || row.scrollHeight > row.clientHeight + 2)
    )
      wrong.push(`does not fit: ${row.textContent}`);
  }
  const [left, top, right, bottom] = box(svg);
  const share = ((right - left) * (bottom - top)) / (innerWidth * innerHeight);
  const scrolls = svg.querySelector("[data-scrolls]");
  const texts = [...svg.querySelectorAll("text")].filter(
    (t) => t.textContent.trim() && t.getBoundingClientRect().width && !t.closest("[data-scrolls]"),
  );
  const least =
    Math.min(...texts.map((t) => parseFloat(t.getAttribute("font-size") ?? getComputedStyle(t).fontSize))) * unit;
  const places = texts.map((t) => {
    const b = box(t),
      h = (b[3] - b[1]) * 0.22;
    return [b[0] + 1, b[1] + h, b[2] - 1, b[3] - h];
  });
  // The corners of a text, as it is turned: the upright box around a slanted one covers its neighbours.
  const corners = (t) => {
    const [b, to] = [t.getBBox(), t.getScreenCTM()],
      h = b.height * 0.22;
    return [
      [b.x, b.y + h],
      [b.x + b.width, b.y + h],
      [b.x + b.width, b.y + b.height - h],
      [b.x, b.y + b.height - h],
    ].map(([x, y]) => [to.a * x + to.c * y + to.e, to.b * x + to.d * y + to.f]);
  };
  const slanted = texts.map((t) => {
    const to = t.getScreenCTM();
    return Math.abs(to.a * to.b) > 1e-6;
  });
  const quads = texts.map((t, i) =>
    slanted[i]
      ? corners(t)
      : (([l, u, r, d]) => [
          [l, u],
          [r, u],
          [r, d],
          [l, d],
        ])(places[i]),
  );
  // Two convex shapes are apart if a side of one parts them.
  const parts = (a, b) =>
    a.some(([x, y], k) => {
      const [nx, ny] = [a[(k + 1) % 4][1] - y, x - a[(k + 1) % 4][0]];
      const along = (shape) => shape.map(([px, py]) => nx * (px - x) + ny * (py - y));
      const [own, other] = [along(a), along(b)];
      return Math.min(...other) >= Math.max(...own) || Math.max(...other) <= Math.min(...own);
    });
  texts.forEach((t, i) => {
    if (!inside(slanted[i] ? box(t) : places[i], box(svg), slanted[i] ? 3 : 1)) wrong.push(`outside: ${t.textContent}`);
  });
  for (let i = 0; i < texts.length; i++)
    for (let j = 0; j < i; j++) {
      if (!parts(quads[i], quads[j]) && !parts(quads[j], quads[i]))
        wrong.push(`over another: ${texts[i].textContent} / ${texts[j].textContent}`);
    }
  const wide = document.scrollingElement.scrollWidth - innerWidth;
  if (wide > 0) wrong.push(`${wide} px wider than the screen`);
  return { wrong, boxes, share, least, texts: texts.length, scrolls: Boolean(scrolls) };
};
