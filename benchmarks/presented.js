// What fills the stage of a slide that is presented, and how large its texts are.
() => {
  const [wide, high] = [innerWidth, innerHeight];
  const screen = wide * high;
  const roots = [document];
  for (const root of roots)
    for (const each of root.querySelectorAll("*")) if (each.shadowRoot) roots.push(each.shadowRoot);
  const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  const stage = document.querySelector(".st-key-stage");
  const inStage = (node) => {
    for (let at = node; at; at = at.parentNode ?? at.host) if (at === stage) return true;
    return false;
  };
  const seen = (rect) => ({
    left: Math.max(rect.left, 0),
    top: Math.max(rect.top, 0),
    right: Math.min(rect.right, wide),
    bottom: Math.min(rect.bottom, high),
  });
  const area = ({ left, top, right, bottom }) => Math.max(0, right - left) * Math.max(0, bottom - top);
  const shown = (node) => node.checkVisibility?.({ checkOpacity: true, checkVisibilityCSS: true }) ?? true;
  const union = (rects) =>
    rects.reduce((a, b) => ({
      left: Math.min(a.left, b.left),
      top: Math.min(a.top, b.top),
      right: Math.max(a.right, b.right),
      bottom: Math.max(a.bottom, b.bottom),
    }));
  /** The innermost element at a point, in whichever shadow tree it is. */
  const at = (x, y) => {
    let hit = document.elementFromPoint(x, y);
    for (let next = hit; next?.shadowRoot;) {
      next = next.shadowRoot.elementFromPoint(x, y);
      if (!next || next === hit) break;
      hit = next;
    }
    return hit;
  };
  /** The area of a node that is on the screen and that nothing lies over. */
  const free = (node) => {
    const rect = seen(node.getBoundingClientRect());
    if (!area(rect)) return 0;
    let hits = 0;
    for (let i = 1; i < 8; i++)
      for (let j = 1; j < 8; j++) {
        const x = rect.left + (i / 8) * (rect.right - rect.left);
        const y = rect.top + (j / 8) * (rect.bottom - rect.top);
        for (let hit = at(x, y); hit; hit = hit.parentNode ?? hit.host)
          if (hit === node) {
            hits += 1;
            break;
          }
      }
    return (area(rect) * hits) / 49;
  };
  const kinds = {
    picture: all(".figure svg, .goal-pictures").filter((each) => !each.closest(".said")),
    chart: all(".js-plotly-plot"),
    table: all("table, [data-testid=stDataFrame], [data-testid=stTable]"),
    code: all("[data-testid=stCode]"),
    other: all(".stage svg, .stage canvas").filter((each) => !each.closest(".figure")),
  };
  const parts = Object.entries(kinds).flatMap(([kind, nodes]) =>
    nodes.filter((each) => inStage(each) && shown(each)).map((each) => ({ kind, node: each, area: free(each) })),
  );
  parts.sort((a, b) => b.area - a.area);
  const largest = parts[0]?.area ? parts[0] : undefined;
  /** The extent of what is drawn in a picture. */
  const drawn = (node) => {
    const marks = [...node.querySelectorAll("text, rect, circle, path, line, image, foreignObject")].filter(shown);
    const rects = marks
      .map((each) => seen(each.getBoundingClientRect()))
      .filter((each) => each.right > each.left || each.bottom > each.top);
    return rects.length ? union(rects) : seen(node.getBoundingClientRect());
  };
  const sizeOf = (node) => {
    const size = parseFloat(getComputedStyle(node).fontSize);
    const matrix = node.getScreenCTM?.();
    return matrix ? size * Math.hypot(matrix.a, matrix.b) : size;
  };
  const texts = [];
  if (largest) {
    const words =
      largest.kind === "picture" || largest.kind === "chart"
        ? [...largest.node.querySelectorAll("text, .goal-picture span")]
        : [...largest.node.querySelectorAll("td, th, code, text")];
    for (const each of words) {
      const rect = seen(each.getBoundingClientRect());
      if (each.textContent.trim() && area(rect) && shown(each))
        texts.push([Math.round(10 * sizeOf(each)) / 10, each.textContent.trim().slice(0, 24)]);
    }
  }
  texts.sort((a, b) => a[0] - b[0]);
  const beat = document.querySelector(".st-key-beat p")?.innerText ?? "";
  const said = all(".said")
    .filter(shown)
    .map((each) => each.innerText)
    .join(" ");
  const rail = document.querySelector(".st-key-rail");
  return {
    address: location.pathname + location.search,
    view: document.querySelector(".st-key-view-open") !== null,
    beat,
    said,
    largest: largest?.kind ?? "nothing",
    share: largest
      ? Math.round(
          (100 * area(largest.kind === "picture" ? drawn(largest.node) : seen(largest.node.getBoundingClientRect()))) /
            screen,
        )
      : 0,
    least: texts.slice(0, 4),
    texts: texts.length,
    overflow: rail ? rail.scrollWidth > rail.clientWidth + 1 || rail.scrollHeight > rail.clientHeight + 1 : false,
    alerts: [...document.querySelectorAll(".stAlert")].map((each) => each.innerText),
    marks:
      parts
        .filter((each) => each.area)
        .map(({ node }) => node.outerHTML)
        .join("") +
      beat +
      said,
  };
};
