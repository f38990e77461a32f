// Draws the pictures of Step from Plotly's own JSON: bars, marks and lines that stand still. A step
// changes ink and not places, so each element is kept and only what differs is set anew. Whatever
// came from a dialogue reaches the page through text nodes; nothing is ever parsed as markup.
const SVG = "http://www.w3.org/2000/svg";
const NEAR = 8; // pixels from a mark at which it still counts as met
const DASHES = { dash: "6 4", dot: "2 3", dashdot: "6 3 2 3" };
const HALF = Math.SQRT1_2;

export default function (component) {
  const { parentElement, data, setTriggerValue } = component;
  const place = parentElement.querySelector(".memcore-picture");
  const held = place.held || (place.held = mounted(place));
  held.send = setTriggerValue;
  held.figure = data;
  place.setAttribute("aria-label", data.alt);
  redraw(place, held);
  return () => {
    if (!place.isConnected) held.observer.disconnect();
  };
}

function mounted(place) {
  const root = document.createElementNS(SVG, "svg");
  const tip = document.createElement("div");
  tip.className = "memcore-tip";
  place.append(root, tip);
  const held = { root, tip, hits: [], width: 0 };
  held.observer = new ResizeObserver(() => {
    if (place.clientWidth && place.clientWidth !== held.width) redraw(place, held);
  });
  held.observer.observe(place);
  root.addEventListener("mousemove", (event) => hover(place, held, met(held, event)));
  root.addEventListener("mouseleave", () => hover(place, held, undefined));
  root.addEventListener("click", (event) => {
    const hit = met(held, event);
    if (hit && hit.data && hit.data[0]) held.send("picked", String(hit.data[0]));
  });
  return held;
}

// ---------------------------------------------------------------- what the pointer meets

function met(held, event) {
  const box = held.root.getBoundingClientRect();
  const x = event.clientX - box.left, y = event.clientY - box.top;
  let best, least = NEAR;
  for (const hit of held.hits) {
    const across = Math.max(hit.x0 - x, 0, x - hit.x1), along = Math.max(hit.y0 - y, 0, y - hit.y1);
    const far = Math.hypot(across, along);
    if (far < least || (far === least && far === 0)) [best, least] = [hit, far];
  }
  return best;
}

function hover(place, held, hit) {
  const { tip } = held;
  held.root.style.cursor = hit && hit.data && hit.data[0] ? "pointer" : "default";
  tip.style.display = hit && hit.words ? "block" : "none";
  if (!hit || !hit.words) return;
  tip.textContent = hit.words;
  const right = (hit.x0 + hit.x1) / 2 > held.width / 2;
  tip.style.left = right ? "auto" : `${hit.x1 + 8}px`;
  tip.style.right = right ? `${held.width - hit.x0 + 8}px` : "auto";
  tip.style.top = `${Math.max(0, (hit.y0 + hit.y1) / 2 - 12)}px`;
}

// ---------------------------------------------------------------- from the figure to elements

function redraw(place, held) {
  const { data: traces, layout } = held.figure;
  const width = place.clientWidth, height = layout.height;
  held.width = width;
  held.hits = [];
  hover(place, held, undefined);
  const { l, r, b } = layout.margin;
  const key = layout.showlegend ? keyLines(traces, layout, Math.max(1, width - l - r)) : [];
  const t = Math.max(layout.margin.t, key.length * (layout.legend.font.size + 7) + 8); // no line of it is cut
  const area = { x: l, y: t, width: Math.max(1, width - l - r), height: Math.max(1, height - t - b) };
  const axes = axesOf(layout, traces, area);
  const stacks = new Map();
  const drawn = traces.map((trace) => ["g", { class: `trace ${trace.type}` },
    (trace.type === "bar" ? bars : scatter)(trace, axes, held.hits, stacks, layout)]);
  const shapes = (layout.shapes || []).map((shape) => [shape.layer === "below", shaped(shape, axes, area)]);
  show(held.root, [
    ["defs", {}, hatches(traces)],
    ["rect", { width, height, fill: layout.paper_bgcolor }],
    ["g", {}, shapes.filter(([below]) => below).map(([, shape]) => shape)],
    ["g", {}, drawn],
    ["g", {}, shapes.filter(([below]) => !below).map(([, shape]) => shape)],
    ["g", {}, [...axes.values()].flatMap((axis) => ticks(axis, layout, area))],
    ["g", {}, (layout.annotations || []).map((note) => noted(note, axes, area))],
    ["g", {}, key.length ? legend(key, layout, area) : []],
  ]);
  held.root.setAttribute("width", width);
  held.root.setAttribute("height", height);
}

function show(parent, wanted) {
  const held = parent.held || (parent.held = []);
  wanted.forEach(([tag, attributes, inside], n) => {
    let kept = held[n];
    if (!kept || kept.tag !== tag) {
      const node = document.createElementNS(SVG, tag);
      if (kept) kept.node.replaceWith(node);
      else parent.append(node);
      kept = held[n] = { tag, node, attributes: {}, inside: "" };
    }
    for (const name in kept.attributes) if (attributes[name] === undefined) kept.node.removeAttribute(name);
    for (const name in attributes) {
      const value = attributes[name];
      if (value !== undefined && value !== kept.attributes[name]) kept.node.setAttribute(name, value);
    }
    kept.attributes = attributes;
    if (Array.isArray(inside)) show(kept.node, inside);
    else if (inside !== undefined && inside !== kept.inside) kept.node.textContent = kept.inside = inside;
  });
  while (held.length > wanted.length) held.pop().node.remove();
}

const entities = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };
const said = (text) => String(text).replace(/&(?:lt|gt|amp);/g, (found) => entities[found]);
const at = (value, n) => (Array.isArray(value) ? value[n] : value);
const tidy = (value) => Math.round(value * 100) / 100;

function write(x, y, text, look) {
  const { anchor = "start", ...rest } = look;
  return ["text", { x: tidy(x), y: tidy(y), "text-anchor": anchor, ...rest }, said(text)];
}

// ---------------------------------------------------------------- axes

function axesOf(layout, traces, area) {
  const found = new Map();
  for (const name of ["x", "y"]) found.set(name, undefined);
  for (const trace of traces) found.set(trace.xaxis || "x", undefined).set(trace.yaxis || "y", undefined);
  for (const name of found.keys()) found.set(name, axisOf(name, layout, traces, area));
  return found;
}

function axisOf(name, layout, traces, area) {
  const along = name[0];
  const look = layout[`${along}axis${name.slice(1)}`] || {};
  const mine = traces.filter((trace) => (trace[`${along}axis`] || along) === name);
  const range = look.range || reach(mine, along, layout);
  const [low, high] = look.domain || [0, 1];
  const [from, to] = along === "x"
    ? [area.x + low * area.width, area.x + high * area.width]
    : [area.y + (1 - low) * area.height, area.y + (1 - high) * area.height];
  const scale = (to - from) / (range[1] - range[0] || 1);
  return { name, along, look, range, from, to, scale, on: (value) => from + (value - range[0]) * scale };
}

function reach(traces, along, layout) {
  const lengths = traces.some((trace) => trace.type === "bar") && lengthwise(traces[0]) === along;
  const sums = new Map();
  const values = lengths ? [0] : [];
  for (const trace of traces) {
    const other = along === "x" ? trace.y : trace.x;
    trace[along].forEach((value, n) => {
      if (value === null) return;
      const base = trace.base ? trace.base[n] : layout.barmode === "relative" ? sums.get(other[n]) || 0 : 0;
      if (lengths) sums.set(other[n], base + value);
      values.push(lengths ? base + value : value);
    });
  }
  const low = Math.min(...values), high = Math.max(...values);
  if (!values.length || low > high) return [0, 1];
  if (lengths) return [low < 0 ? low / 0.95 : 0, (high || 1) / 0.95];
  const room = traces.some((trace) => trace.type === "bar") ? 0.5 : (high - low || 1) * 0.05;
  return [low - room, high + room];
}

const lengthwise = (trace) => (trace.orientation === "h" ? "x" : "y");

function steps(axis) {
  const { look, range } = axis, span = Math.abs(range[1] - range[0]);
  if (look.tickvals) {
    return look.tickvals.map((value, n) => [value, look.ticktext ? look.ticktext[n] : String(value)]);
  }
  const room = Math.abs(axis.to - axis.from) / (axis.along === "x" ? 80 : 40);
  const rough = span / Math.max(1, look.nticks || Math.min(10, room));
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * unit).find((n) => n >= rough * 0.999);
  const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const found = [], low = Math.min(...range), high = Math.max(...range);
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n += 1) {
    found.push([n * step, (n * step).toFixed(places)]);
  }
  return found;
}

function ticks(axis, layout, area) {
  const { look, along } = axis, font = { ...layout.font, ...look.tickfont };
  const ink = { fill: font.color, "font-size": font.size, class: `${along}tick` };
  const inside = steps(axis).filter(([value]) => within(axis, value));
  const found = along === "x" ? below(axis, inside, ink, area) : inside.map(([value, text]) =>
    write(area.x - 6, axis.on(value) + font.size * 0.35, text, { ...ink, anchor: "end" }));
  if (look.title && look.title.text) found.push(title(axis, { ...layout.font, ...look.title.font }, area, layout));
  return found;
}

function within(axis, value) {
  const [low, high] = [Math.min(...axis.range), Math.max(...axis.range)];
  return value >= low - 1e-9 && value <= high + 1e-9;
}

function below(axis, inside, ink, area) {
  const size = ink["font-size"], top = axis.look.side === "top";
  const slot = Math.abs(axis.to - axis.from) / Math.max(1, inside.length) - 4;
  return inside.flatMap(([value, text]) => String(text).split("<br>").map((line, n) => {
    const y = top ? area.y - 8 : area.y + area.height + 6 + size * (0.9 + 1.25 * n);
    return write(axis.on(value), y, fitted(said(line), slot, size), { ...ink, anchor: "middle" });
  }));
}

const rule = document.createElement("canvas").getContext("2d");
function wide(text, size) {
  rule.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
  return rule.measureText(text).width;
}

function fitted(text, room, size) {
  if (wide(text, size) <= room) return text;
  let end = text.length - 1;
  while (end > 1 && wide(`${text.slice(0, end)}…`, size) > room) end -= 1;
  return `${text.slice(0, end)}…`;
}

function title(axis, font, area, layout) {
  const ink = { fill: font.color, "font-size": font.size, anchor: "middle", class: "title" };
  const middle = (axis.from + axis.to) / 2;
  if (axis.along === "x") return write(middle, layout.height - 6, axis.look.title.text, ink);
  return write(0, 0, axis.look.title.text, { ...ink, transform: `translate(14 ${tidy(middle)}) rotate(-90)` });
}

// ---------------------------------------------------------------- traces

function bars(trace, axes, hits, stacks, layout) {
  const length = lengthwise(trace), [x, y] = [axes.get(trace.xaxis || "x"), axes.get(trace.yaxis || "y")];
  const [long, cross] = length === "y" ? [y, x] : [x, y];
  const ends = trace[length], places = trace[length === "y" ? "x" : "y"];
  const stack = stacked(stacks, x.name + y.name, layout), slot = 0.8 * spacing(places);
  const found = [];
  ends.forEach((end, n) => {
    if (end === null || !within(cross, places[n])) return;
    const base = trace.base ? trace.base[n] : stack(places[n], end);
    const half = (at(trace.width, n) || slot) / 2;
    const one = [cross.on(places[n] - half), cross.on(places[n] + half)].sort((a, b) => a - b);
    const other = [long.on(base), long.on(base + end)].sort((a, b) => a - b);
    const [[x0, x1], [y0, y1]] = length === "y" ? [one, other] : [other, one];
    found.push(...bar(trace, n, { x0, x1, y0, y1 }));
    if (trace.text) found.push(beside(trace, n, { x0, x1, y0, y1 }, length, layout));
    if (trace.hoverinfo !== "skip") hits.push({ x0, x1, y0, y1, ...told(trace, n) });
  });
  return found;
}

function bar(trace, n, { x0, x1, y0, y1 }) {
  const { color, line = {}, pattern } = trace.marker;
  const box = { x: tidy(x0), y: tidy(y0), width: tidy(x1 - x0), height: tidy(y1 - y0) };
  const edge = at(line.width, n) ? { stroke: at(line.color, n), "stroke-width": at(line.width, n) } : {};
  const drawn = [["rect", { class: "bar point", ...box, fill: at(color, n), ...edge }]];
  if (pattern && at(pattern.shape, n)) drawn.push(["rect", { ...box, fill: "url(#memcore-hatch)" }]);
  return drawn;
}

function hatches(traces) {
  const found = traces.find((trace) => trace.marker && trace.marker.pattern);
  if (!found) return [];
  const { size, fgcolor } = found.marker.pattern;
  const line = { d: `M0 ${size}L${size} 0`, stroke: fgcolor, "stroke-width": 0.8, opacity: 0.7 };
  const look = { id: "memcore-hatch", width: size, height: size, patternUnits: "userSpaceOnUse" };
  return [["pattern", look, [["path", line]]]];
}

function beside(trace, n, { x0, x1, y0, y1 }, length, layout) {
  const ink = { fill: layout.font.color, "font-size": layout.font.size };
  if (length === "x") return write(x1 + 4, (y0 + y1) / 2 + layout.font.size * 0.35, trace.text[n], ink);
  return write((x0 + x1) / 2, y0 - 4, trace.text[n], { ...ink, anchor: "middle" });
}

function stacked(stacks, name, layout) {
  if (layout.barmode !== "relative") return () => 0;
  const held = stacks.get(name) || stacks.set(name, new Map()).get(name);
  return (place, end) => {
    const key = `${place} ${end < 0}`, base = held.get(key) || 0;
    held.set(key, base + end);
    return base;
  };
}

function spacing(places) {
  const sorted = [...new Set(places.filter((place) => place !== null))].sort((a, b) => a - b);
  return sorted.length < 2 ? 1 : Math.min(...sorted.slice(1).map((place, n) => place - sorted[n]));
}

function told(trace, n) {
  const words = trace.hovertext || trace.text;
  return { data: trace.customdata && trace.customdata[n], words: words ? said(at(words, n)) : "" };
}

function scatter(trace, axes, hits, stacks, layout) {
  const [x, y] = [axes.get(trace.xaxis || "x"), axes.get(trace.yaxis || "y")];
  const points = trace.x.map((value, n) => value === null || trace.y[n] === null
    ? undefined : { n, x: x.on(value), y: y.on(trace.y[n]), seen: within(x, value) });
  const found = [], { mode } = trace;
  if (mode.includes("lines")) found.push(lined(trace, points, x, y));
  if (mode.includes("markers")) for (const point of points) if (point && point.seen) found.push(mark(trace, point));
  if (mode.includes("text")) {
    for (const point of points) if (point && point.seen && at(trace.text, point.n)) found.push(named(trace, point, layout));
  }
  if (trace.hoverinfo === "skip" || !trace.customdata) return found;
  for (const point of points) {
    if (!point || !point.seen) continue;
    const half = (trace.marker ? at(trace.marker.size, point.n) : 0) / 2;
    const box = { x0: point.x - half, x1: point.x + half, y0: point.y - half, y1: point.y + half };
    hits.push({ ...box, ...told(trace, point.n) });
  }
  return found;
}

function lined(trace, points, x, y) {
  const { color, width = 2, dash } = trace.line || {};
  let path = "", pen = "M";
  for (const point of points) {
    if (!point) { pen = "M"; continue; }
    path += `${pen}${tidy(point.x - x.from)} ${tidy(point.y - y.to)}`;
    pen = "L";
  }
  const look = { d: path, fill: "none", stroke: color, "stroke-width": width, "stroke-dasharray": DASHES[dash] };
  const frame = { x: tidy(x.from), y: tidy(y.to), width: tidy(x.to - x.from), height: tidy(y.from - y.to) };
  if (trace.cliponaxis === false) frame.style = "overflow: visible";
  return ["svg", frame, [["path", look]]];
}

function named(trace, point, layout) {
  const [along, across] = (at(trace.textposition, point.n) || "middle center").split(" ");
  const font = { ...layout.font, ...trace.textfont };
  const dy = { top: -10, bottom: 16, middle: font.size * 0.35 }[along];
  const dx = { left: -9, right: 9, center: 0 }[across];
  const anchor = { left: "end", right: "start", center: "middle" }[across];
  return write(point.x + dx, point.y + dy, at(trace.text, point.n), { fill: font.color, "font-size": font.size, anchor });
}

const SHAPES = {
  circle: (r) => `M${r} 0A${r} ${r} 0 1 1 0 ${-r}A${r} ${r} 0 0 1 ${r} 0Z`,
  square: (r) => `M${-r} ${-r}H${r}V${r}H${-r}Z`,
  diamond: (r) => `M0 ${-1.3 * r}L${1.3 * r} 0L0 ${1.3 * r}L${-1.3 * r} 0Z`,
  "triangle-up": (r) => `M${tidy(-1.155 * r)} ${r / 2}H${tidy(1.155 * r)}L0 ${-r}Z`,
  "line-ns": (r) => `M0 ${tidy(-1.4 * r)}V${tidy(1.4 * r)}`,
  "line-ew": (r) => `M${tidy(-1.4 * r)} 0H${tidy(1.4 * r)}`,
  "circle-x": (r) => `${SHAPES.circle(r)}M${-r * HALF} ${-r * HALF}L${r * HALF} ${r * HALF}M${-r * HALF} ${r * HALF}L${r * HALF} ${-r * HALF}`,
  star: (r) => {
    const corners = Array.from({ length: 10 }, (_, n) => {
      const far = n % 2 ? r * 0.535 : r * 1.4, angle = (n * Math.PI) / 5;
      return `${tidy(far * Math.sin(angle))} ${tidy(-far * Math.cos(angle))}`;
    });
    return `M${corners.join("L")}Z`;
  },
};

function mark(trace, point) {
  const { marker } = trace, { n } = point, symbol = at(marker.symbol, n) || "circle";
  const open = symbol.endsWith("-open"), name = open ? symbol.slice(0, -5) : symbol;
  const line = marker.line || {}, color = at(marker.color, n), width = at(line.width, n);
  const stroke = open ? color : width ? at(line.color, n) : undefined;
  const look = { fill: open ? "none" : color, stroke, "stroke-width": stroke && (width || 1.5) };
  const place = `translate(${tidy(point.x)},${tidy(point.y)})`;
  return ["path", { class: "point", transform: place, d: SHAPES[name](at(marker.size, n) / 2), ...look }];
}

// ---------------------------------------------------------------- shapes, notes, legend

function spot(value, reference, axes, area, along) {
  const [start, size] = along === "x" ? [area.x, area.width] : [area.y + area.height, -area.height];
  if (reference === "paper") return start + value * size;
  const [name, domain] = (reference || along).split(" "), axis = axes.get(name);
  return domain ? axis.from + value * (axis.to - axis.from) : axis.on(value);
}

function shaped(shape, axes, area) {
  const kept = (value) => Math.min(Math.max(value, area.x), area.x + area.width);
  const [x0, x1] = [shape.x0, shape.x1].map((value) => spot(value, shape.xref, axes, area, "x"));
  const [y0, y1] = [shape.y0, shape.y1].map((value) => spot(value, shape.yref, axes, area, "y"));
  const { color, width = 2, dash } = shape.line || {};
  const ink = { stroke: width ? color : undefined, "stroke-width": width, "stroke-dasharray": DASHES[dash] };
  if (shape.type === "rect") {
    const [left, right] = [kept(Math.min(x0, x1)), kept(Math.max(x0, x1))];
    const box = { x: tidy(left), width: tidy(right - left), y: tidy(Math.min(y0, y1)), height: tidy(Math.abs(y1 - y0)) };
    return ["rect", { ...box, fill: shape.fillcolor || "none", ...ink }];
  }
  const gone = x0 === x1 && kept(x0) !== x0;
  return ["line", { x1: tidy(x0), x2: tidy(x1), y1: tidy(y0), y2: tidy(y1), visibility: gone ? "hidden" : undefined, ...ink }];
}

function noted(note, axes, area) {
  const [x, y] = [spot(note.x, note.xref, axes, area, "x"), spot(note.y, note.yref, axes, area, "y")];
  const anchor = { left: "start", right: "end" }[note.xanchor] || "middle";
  return write(x + (anchor === "start" ? 2 : 0), y - 4, note.text, { fill: note.font.color, "font-size": note.font.size, anchor });
}

function keyLines(traces, layout, width) {
  const { size } = layout.legend.font;
  const shown = traces.filter((trace) => trace.showlegend !== false && trace.name);
  const lines = [[]];
  let x = 0;
  for (const trace of shown) {
    const needs = 30 + wide(said(trace.name), size) + 14;
    if (x + needs > width && x) { lines.push([]); x = 0; }
    lines[lines.length - 1].push([trace, x]);
    x += needs;
  }
  return shown.length ? lines : [];
}

function legend(lines, layout, area) {
  const { size, color } = layout.legend.font;
  return lines.flatMap((line, n) => line.flatMap(([trace, left]) => {
    const y = area.y - 10 - (lines.length - 1 - n) * (size + 7);
    return [swatch(trace, area.x + left, y), write(area.x + left + 30, y + size * 0.35, trace.name, { fill: color, "font-size": size })];
  }));
}

function swatch(trace, x, y) {
  if (trace.type === "bar") return ["rect", { x: x + 8, y: y - 6, width: 14, height: 12, fill: at(trace.marker.color, 0) }];
  if (!trace.mode.includes("lines")) return mark(trace, { n: 0, x: x + 15, y });
  const { color, width = 2, dash } = trace.line;
  return ["line", { x1: x, x2: x + 26, y1: y, y2: y, stroke: color, "stroke-width": width, "stroke-dasharray": DASHES[dash] }];
}
