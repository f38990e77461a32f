const data = JSON.parse(document.getElementById("data").textContent);
const words = Object.fromEntries(data.words.map((w) => [w.name, w.text]));
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const themed = () => ({ ...data, styles: dark.matches ? data.dark : data.light });
const put = (id, text) => { document.getElementById(id).textContent = text; };
document.documentElement.lang = data.language;
put("title", data.title);
put("said", data.said);
put("twin", words.twin);
put("about", words.about);
put("picked", words.none);
const place = document.getElementById("place");
place.setAttribute("aria-label", data.said);
const held = network(place, themed());
dark.addEventListener("change", () => redraw(held, themed()));
held.made.on("click", (event) => {
  const row = data.rows.find((r) => r.id === event.nodes[0]);
  put("picked", row ? row.words : words.none);
});
function row(tag, values) {
  const line = document.createElement("tr");
  for (const value of values) {
    const cell = document.createElement(tag);
    cell.textContent = value;
    line.append(cell);
  }
  return line;
}
document.getElementById("table").append(row("th", data.columns), ...data.rows.map((r) => row("td", [r.id, r.kind, r.words, r.joined])));
for (const one of data.about) {
  const name = document.createElement("dt"), value = document.createElement("dd");
  name.textContent = one.name;
  value.textContent = one.value;
  document.getElementById("facts").append(name, value);
}
