// Draws boards as SVG, for the viewer of games and for boards in play. Points are numbered from A1, row by row.
const svgElement = (name, attributes, text) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
};

const drawnBoard = (size) => {
  const LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
  const STARS = { 9: [2, 4, 6], 13: [3, 6, 9], 19: [3, 9, 15] };
  const CELL = 20, MARGIN = 18, EDGE = 4;
  const centre = (point) => ({
    cx: MARGIN + CELL / 2 + (point % size) * CELL,
    cy: MARGIN + CELL / 2 + (size - 1 - Math.floor(point / size)) * CELL,
  });
  const side = MARGIN + size * CELL + EDGE;
  const drawing = svgElement("svg", { viewBox: `0 0 ${side} ${side}`, "aria-hidden": "true" });
  const stonesLayer = svgElement("g", {});
  drawing.append(svgElement("rect", { x: MARGIN, y: MARGIN, width: size * CELL, height: size * CELL, rx: 3, class: "wood" }));
  const first = MARGIN + CELL / 2, last = first + (size - 1) * CELL;
  let path = "";
  for (let i = 0; i < size; i++) path += `M${first} ${first + i * CELL}H${last}M${first + i * CELL} ${first}V${last}`;
  drawing.append(svgElement("path", { d: path, class: "grid" }));
  for (const row of STARS[size] ?? []) {
    for (const column of STARS[size]) {
      if (size > 9 || (row === 4) === (column === 4)) drawing.append(svgElement("circle", { ...centre(row * size + column), r: 2, class: "star" }));
    }
  }
  for (let i = 0; i < size; i++) {
    drawing.append(svgElement("text", { x: first + i * CELL, y: MARGIN - 6, class: "coord" }, LETTERS[i]));
    drawing.append(svgElement("text", { x: MARGIN - 9, y: last - i * CELL + 3.5, class: "coord" }, i + 1));
  }
  drawing.append(stonesLayer);
  return {
    drawing,
    vertex: (point) => point >= size * size ? "pass" : LETTERS[point % size] + (Math.floor(point / size) + 1),
    // `stones`: 0 empty, 1 black, 2 white; `marked`: the point of the last move, or null.
    show: (stones, marked) => {
      stonesLayer.replaceChildren();
      stones.forEach((stone, point) => {
        if (stone) stonesLayer.append(svgElement("circle", { ...centre(point), r: CELL * 0.46, class: stone === 1 ? "black" : "white" }));
      });
      if (marked !== null) stonesLayer.append(svgElement("circle", { ...centre(marked), r: CELL * 0.14, class: "last" }));
    },
  };
};
