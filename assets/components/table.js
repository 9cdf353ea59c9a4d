// A table of numbers: four digits on screen, all of them in the CSV.

export default function table({ data, parentElement }) {
  const [root, fresh] = stage(parentElement, JSON.stringify([data.columns, data.labels]));
  root.data = data;
  if (fresh) build(root, data);
  const width = data.columns.length - 1;
  root.querySelectorAll("td").forEach((cell, i) => (cell.textContent = significant(data.numbers[i])));
  root.csv = () => rowsOf(data, width);
}

function build(root, data) {
  const grid = html("table", {}, html("div", { class: "scroll" }, root));
  html("caption", { class: "unseen" }, grid, data.caption);
  const head = html("tr", {}, html("thead", {}, grid));
  data.columns.forEach((column, i) => html("th", { scope: "col", class: i ? "number" : "" }, head, column));
  const body = html("tbody", {}, grid);
  for (const label of data.labels) {
    const line = html("tr", {}, body);
    html("th", { scope: "row" }, line, label);
    for (let i = 1; i < data.columns.length; i++) html("td", { class: "number" }, line);
  }
  saveTable(root, () => [root.data.name, root.data.columns, root.csv()]);
}

const rowsOf = ({ labels, numbers }, width) =>
  labels.map((label, i) => [label, ...numbers.subarray(i * width, (i + 1) * width)]);
