// The glue of the component: a click sends the id of its node, and nothing else leaves.
export default function (component) {
  const { parentElement, data, setTriggerValue } = component;
  const place = parentElement.querySelector(".network");
  place.style.height = `${data.height}px`;
  if (!place.held) {
    place.held = network(place, data);
    place.held.made.on("click", (event) => {
      if (event.nodes.length) place.held.send("picked", event.nodes[0]);
    });
    place.held.shown = data.view;
  } else {
    redraw(place.held, data);
    if (place.held.shown !== data.view) place.held.made.fit({ animation: false, maxZoomLevel: 1.4 });
    place.held.shown = data.view;
  }
  place.held.send = setTriggerValue;
  return () => {
    if (place.held && !place.isConnected) { place.held.made.destroy(); place.held = undefined; }
  };
}
