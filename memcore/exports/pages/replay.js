"use strict";
// Everything that came from a dialogue reaches the page through text nodes and attributes that
// hold numbers, ids or names of our own; nothing is ever parsed as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const words = Object.fromEntries(data.words.map((w) => [w.name, w.text]));
const told = new Map(data.reader.map((t) => [t.id, t]));
const state = { beat: 1, picked: "" };
const LEFT = 150, FACTS = 150, ROW = 19, BARS = 120, SPEAKER = 15;
document.documentElement.lang = data.language;

function make(name, attributes, ...children) {
  return put(document.createElement(name), attributes, children);
}
function draw(name, attributes, ...children) {
  return put(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}
function put(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === "on") element.addEventListener("click", value);
    else if (value !== undefined && value !== false) element.setAttribute(key, String(value));
  }
  for (const child of children) element.append(child);
  return element;
}

// ---------------------------------------------------------------- selection and steps

function pick(id) { state.picked = state.picked === id ? "" : id; show(); }
function go(beat) { state.beat = Math.min(Math.max(beat, 1), data.pages.length); show(); }
function idButton(id) {
  const look = id === state.picked ? "id selected" : "id";
  return make("button", { type: "button", class: look, on: () => pick(id) }, id);
}
document.addEventListener("keydown", (event) => {
  if (event.target instanceof HTMLInputElement || event.altKey || event.ctrlKey || event.metaKey) return;
  const last = data.pages.length;
  const moves = {
    ArrowRight: state.beat + 1, ArrowLeft: state.beat - 1, j: state.beat + 1, k: state.beat - 1,
    Home: 1, End: last,
  };
  const wanted = moves[event.key] || ("123456".includes(event.key) ? Number(event.key) : 0);
  if (event.key === "Escape") { state.picked = ""; show(); }
  if (!wanted && event.key !== "ArrowLeft" && event.key !== "k") return;
  event.preventDefault();
  go(wanted);
});

// ---------------------------------------------------------------- tables

function cell(value, n, table, id) {
  const look = table.numbers[n] ? "number" : value.length < 18 ? "short" : undefined;
  const inside = id && value === id ? idButton(id) : value;
  return make("td", { class: look }, inside);
}
function grid(table, most) {
  const shown = most ? table.rows.slice(0, most).map((row) => row.map((v) => short(v, 90))) : table.rows;
  const head = make("tr", {}, ...table.columns.map((c, n) =>
    make("th", { scope: "col", class: table.numbers[n] ? "number" : undefined }, c)));
  const body = shown.map((row, n) => {
    const id = table.ids[n];
    const look = id && id === state.picked ? "selected" : undefined;
    return make("tr", { class: look }, ...row.map((value, at) => cell(value, at, table, id)));
  });
  return make("div", { class: "wide" }, make("table", {},
    make("thead", {}, head), make("tbody", {}, ...body)));
}
function strip(beat) {
  const table = data.strip;
  const row = (values, tag) => make("tr", {}, ...values.map((value, n) =>
    make(tag, { class: n === beat ? "now" : undefined }, value)));
  return make("div", { class: "wide strip" }, make("table", {},
    make("thead", {}, row(table.columns, "th")),
    make("tbody", {}, ...table.rows.map((r) => row(r, "td")))));
}

// ---------------------------------------------------------------- the score sheet

function sheet(page, width) {
  const WIDTH = width || Math.min(Math.max(document.documentElement.clientWidth - 56, 640), 1304);
  const p = data.picture, scale = (WIDTH - LEFT - 10) / p.end;
  const x = (place) => LEFT + place * scale;
  const facts = p.facts.length ? FACTS : 0, rows = p.rows.length * ROW;
  const barsTop = facts + rows + 16, talkTop = barsTop + BARS + 14;
  const bottom = talkTop + p.speakers.length * SPEAKER + 6, height = bottom + 34;
  const active = new Set(page.active), scored = new Set(page.scored);
  const view = { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": words.sheet };
  const root = draw("svg", view);
  const mark = (element, id) => {
    element.setAttribute("data-id", id);
    if (id === state.picked) element.classList.add("picked");
    element.addEventListener("click", () => pick(id));
    element.append(draw("title", {}, title(id)));
    root.append(element);
  };
  for (const band of p.bands) {
    root.append(draw("rect", { class: "band", x: x(band.left), y: 0, width: (band.right - band.left) * scale, height: bottom }));
  }
  bandLabels(root, p.bands, x, bottom);
  for (const turn of p.turns.filter((t) => t.look === "gold")) {
    root.append(draw("line", { class: "goldrule", x1: x(turn.x), x2: x(turn.x), y1: 0, y2: bottom }));
  }
  const lane = (y) => 14 + (6 - y) * (FACTS - 28) / 6;
  const place = new Map(p.facts.map((f) => [f.id, [x(f.x), lane(f.y)]]));
  for (const line of page.lines) {
    const a = place.get(line.source), b = place.get(line.target);
    if (a && b) root.append(draw("path", { class: `edge ${line.look}`, d: `M${a[0]} ${a[1]} Q${(a[0] + b[0]) / 2} ${Math.min(a[1], b[1]) - 14} ${b[0]} ${b[1]}` }));
  }
  const bridges = new Set(page.lines.filter((l) => l.look === "bridge").flatMap((l) => [l.source, l.target]));
  for (const fact of p.facts) {
    const [cx, cy] = place.get(fact.id);
    const look = `fact ${fact.look} ${active.has(fact.id) ? "" : "off"}`;
    mark(draw("circle", { class: look, cx, cy, r: active.has(fact.id) || bridges.has(fact.id) ? 5 : 4 }), fact.id);
    if (fact.look === "was") root.append(draw("path", { class: `fact ${active.has(fact.id) ? "" : "off"}`, d: `M${cx - 3} ${cy - 3}l6 6m0 -6l-6 6` }));
  }
  p.rows.forEach((row, n) => {
    const y = facts + n * ROW + 12, quiet = page.n > 1 ? "" : "off";
    const name = draw("text", { class: "label", x: LEFT - 10, y: y + 4, "text-anchor": "end" }, short(row.label, 20));
    mark(name, row.id);
    if (row.xs.length > 1) root.append(draw("line", { class: `thread ${row.part}`, x1: x(row.xs[0]), x2: x(row.xs[row.xs.length - 1]), y1: y, y2: y }));
    for (const at of row.xs) mark(draw("circle", { class: `${row.part} ${quiet}`, cx: x(at), cy: y, r: row.xs.length > 60 ? 2 : 3.4 }), row.id);
  });
  root.append(draw("text", { class: "label", x: LEFT - 10, y: barsTop + BARS, "text-anchor": "end" }, "0"));
  root.append(draw("text", { class: "label", x: LEFT - 10, y: barsTop + 10, "text-anchor": "end" }, p.top.toPrecision(3)));
  const thick = Math.max(1.6, Math.min(7, scale * 0.8));
  for (const bar of p.bars) {
    if (!scored.has(bar.id)) continue;
    let at = barsTop + BARS;
    bar.amounts.forEach((amount, n) => {
      const tall = Math.max(0, amount) / p.top * BARS;
      if (tall < 0.05) return;
      at -= tall;
      const look = `bar${n % 7} ${active.has(bar.id) ? "" : "off"}`;
      mark(draw("rect", { class: look, x: x(bar.x) - thick / 2, y: at, width: thick, height: tall }), bar.id);
    });
  }
  p.speakers.forEach((name, n) => root.append(draw("text", { class: "label", x: LEFT - 10, y: talkTop + n * SPEAKER + 9, "text-anchor": "end" }, short(name, 20))));
  for (const turn of p.turns) {
    const y = talkTop + turn.y * SPEAKER;
    const on = active.has(turn.id) || turn.look === "gold";
    const tick = draw("line", { class: `turn ${turn.look} ${on ? "" : "off"}`, x1: x(turn.x), x2: x(turn.x), y1: y, y2: y + 11 });
    const wide = Math.max(scale, 4);  // a tick is too thin to hit
    const room = draw("rect", { class: "hit", x: x(turn.x) - wide / 2, y: y - 1, width: wide, height: SPEAKER });
    mark(draw("g", {}, tick, room), turn.id);
  }
  return root;
}
function bandLabels(root, bands, x, bottom) {
  let free = -1;
  for (const band of bands) {
    const at = x((band.left + band.right) / 2), [name, date] = band.label.split(" · ");
    if (at < free) continue;
    free = at + 92;
    root.append(draw("text", { x: at, y: bottom + 14, "text-anchor": "middle" }, name));
    if (date) root.append(draw("text", { x: at, y: bottom + 28, "text-anchor": "middle" }, date));
  }
}
function title(id) { const t = told.get(id); return t ? `${id} · ${short(t.head, 60)}\n${short(t.text, 160)}` : id; }
function short(text, most) { const all = [...text]; return all.length > most ? all.slice(0, most - 1).join("") + "…" : text; }
function legend() {
  const terms = data.picture.terms.map((term, n) => make("span", {},
    draw("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" }, draw("rect", { class: `bar${n % 7}`, width: 10, height: 10 })), term));
  if (data.gold.length) terms.push(make("span", {}, `★ ${words.gold}: ${data.gold.join(" ")}`));
  return make("div", { class: "legend" }, ...terms);
}

// ---------------------------------------------------------------- the page

function answer() {
  return make("div", {}, ...data.answer.map((sentence) => make("div", { class: "said" },
    make("span", {}, sentence.text), ...sentence.cites.map(idButton),
    make("span", { class: "quiet" }, sentence.note))));
}
function beatBody(page, most) {
  const tables = page.tables.map((table) => make("div", {},
    make("h3", {}, most && table.rows.length > most ? `${table.title} · ${most} / ${table.rows.length}` : table.title), grid(table, most)));
  return make("div", {}, ...(page.n === 6 ? [answer()] : []), ...tables);
}
function reader() {
  const found = told.get(state.picked);
  const head = make("h3", {}, words.reader);
  if (!found) return make("section", { class: "reader", "aria-live": "polite" }, head, make("p", { class: "quiet" }, words.none));
  const clear = make("button", { type: "button", on: () => pick(found.id) }, words.clear);
  const near = data.ledger.ids.map((id, n) => [id, data.ledger.rows[n]]).filter(([id]) => id === found.id).map(([, row]) => row);
  const story = near.length ? [grid({ ...data.ledger, rows: near.map((r) => r.slice(3)), columns: data.ledger.columns.slice(3), numbers: data.ledger.numbers.slice(3), ids: near.map(() => "") })] : [];
  return make("section", { class: "reader", "aria-live": "polite" }, head,
    make("p", {}, make("strong", {}, found.id), ` · ${found.head}`), make("pre", {}, found.text), ...story, clear);
}
function nav() {
  const steps = data.pages.map((page) => make("button", {
    type: "button", "aria-current": page.n === state.beat ? "step" : undefined, on: () => go(page.n),
  }, `${page.n} ${page.name}`));
  return make("nav", {},
    make("button", { type: "button", disabled: state.beat === 1 ? "" : undefined, on: () => go(state.beat - 1) }, `◀ ${words.back}`),
    ...steps,
    make("button", { type: "button", disabled: state.beat === data.pages.length ? "" : undefined, on: () => go(state.beat + 1) }, `${words.next} ▶`),
    make("span", { class: "quiet" }, words.keys));
}
const opened = new Set();
let searched = "";
function fold(name, title, ...children) {
  const element = make("details", {}, make("summary", {}, title), ...children);
  element.open = opened.has(name);
  element.addEventListener("toggle", () => { if (element.open) opened.add(name); else opened.delete(name); });
  return element;
}
function ledger() {
  const place = make("div", {});
  const fill = () => {
    const wanted = searched.toLowerCase();
    const hits = data.ledger.rows.map((row, n) => n).filter((n) => data.ledger.rows[n].join(" ").toLowerCase().includes(wanted));
    const part = { ...data.ledger, rows: hits.map((n) => data.ledger.rows[n]), ids: hits.map((n) => data.ledger.ids[n]) };
    place.replaceChildren(make("p", { class: "quiet" }, `${hits.length} / ${data.ledger.rows.length} ${words.rows}`), grid(part));
  };
  const box = make("input", { type: "search", placeholder: words.search, "aria-label": words.search });
  box.value = searched;
  box.addEventListener("input", () => { searched = box.value; fill(); });
  fill();
  return fold("ledger", words.ledger, box, place);
}
function about() {
  const pairs = data.about.flatMap((a) => [make("dt", {}, a.name), make("dd", {}, a.value)]);
  return fold("about", words.about, make("dl", {}, ...pairs));
}
function heading(most) {
  return [make("h1", {}, most ? short(data.question, most) : data.question), make("p", { class: "quiet" }, data.run),
    ...data.warnings.map((w) => make("p", { class: "warning" }, w))];
}
function beat(page, width) {
  return [strip(page.n), make("h2", {}, `${page.n} / ${data.pages.length} · ${page.name}`),
    make("p", {}, page.sentence), make("p", { class: "quiet" }, page.shown), sheet(page, width), legend()];
}
function show() {
  const page = data.pages[state.beat - 1], top = window.scrollY;
  const focused = document.activeElement && document.activeElement.textContent;
  document.getElementById("screen").replaceChildren(...heading(), nav(), ...beat(page),
    make("div", { class: "columns" }, beatBody(page), reader()),
    ledger(), fold("packet", words.packet, grid(data.packet)), about());
  window.scrollTo(0, top);
  const again = [...document.querySelectorAll("button")].find((b) => focused && b.textContent === focused);
  if (again) again.focus({ preventScroll: true });
}
window.addEventListener("resize", show);
window.addEventListener("beforeprint", () => {
  document.getElementById("print").replaceChildren(...data.pages.map((page) =>
    make("article", {}, ...heading(160), ...beat(page, 1100), beatBody(page, Math.max(1, Math.floor(9 / Math.max(1, page.tables.length)) - 1)))));
});
window.addEventListener("afterprint", () => document.getElementById("print").replaceChildren());
show();
