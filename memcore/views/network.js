// Draws pyvis's node and edge lists with the vis-network that pyvis ships. Shared by the component
// of the page and by the offline file. Labels and titles are plain text for vis-network.
const OPTIONS = {
  physics: { enabled: false },
  interaction: { hover: true, tooltipDelay: 120, dragNodes: false, keyboard: false, zoomSpeed: 0.6 },
  nodes: { font: { multi: false, size: 13, strokeWidth: 3 }, labelHighlightBold: false },
  edges: { smooth: { enabled: true, type: "curvedCW", roundness: 0.12 }, font: { multi: false }, selectionWidth: 0, hoverWidth: 0 },
};
function styled(data) {
  const ink = Object.fromEntries(data.styles.map((s) => [s.name, s.colour]));
  const node = (n) => {
    const colour = ink[n.group] || ink.ink;
    const edge = n.gold ? ink.gold : colour;
    const fill = n.shape === "triangleDown" ? ink.paper : colour;
    const both = { background: fill, border: edge };
    return { ...n, group: undefined, color: { ...both, highlight: both, hover: both }, font: { color: ink.ink, strokeColor: ink.paper } };
  };
  const line = (e, n) => {
    const colour = ink[e.look] || ink.link;
    const arrows = ["update", "link", "merge"].includes(e.look) ? { to: { enabled: true, scaleFactor: 0.5 } } : undefined;
    const wide = e.look === "bridge" || e.look === "update" ? 2 : 1;
    return { id: `${e.from} ${e.to} ${e.look} ${n}`, from: e.from, to: e.to, dashes: e.dashes, width: wide, arrows, color: { color: colour, highlight: colour, hover: colour } };
  };
  return { nodes: data.nodes.map(node), edges: data.edges.map(line) };
}
function network(place, data) {
  const drawn = styled(data);
  const sets = { nodes: new vis.DataSet(drawn.nodes), edges: new vis.DataSet(drawn.edges) };
  const made = new vis.Network(place, sets, OPTIONS);
  made.fit({ animation: false, maxZoomLevel: 1.4 });
  return { made, sets };
}
function redraw(held, data) {
  const drawn = styled(data);
  for (const [name, rows] of Object.entries(drawn)) {
    const ids = new Set(rows.map((r) => r.id)), set = held.sets[name];
    set.remove(set.getIds().filter((id) => !ids.has(id)));
    set.update(rows);
  }
}
