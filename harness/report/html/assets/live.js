// A live page: the server sends each section that changed, and this script updates the page to match it.
(() => {
  const connection = document.getElementById("connection");

  // Changes `old` into `fresh` node by node, so that focus, selection and scrolling stay where they are.
  const morph = (old, fresh) => {
    if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName) {
      old.replaceWith(fresh);
      return;
    }
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.data !== fresh.data) old.data = fresh.data;
      return;
    }
    for (const { name, value } of [...fresh.attributes]) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    for (const { name } of [...old.attributes]) {
      if (!fresh.hasAttribute(name)) old.removeAttribute(name);
    }
    morphChildren(old, fresh);
  };
  const morphChildren = (old, fresh) => {
    const before = [...old.childNodes], after = [...fresh.childNodes];
    after.forEach((child, place) => {
      if (before[place]) morph(before[place], child);
      else old.append(child);
    });
    for (const child of before.slice(after.length)) child.remove();
  };
  const parsed = (html) => {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    return holder.content;
  };

  const places = new Map(); // by worker: the figure of its board
  const showBoards = (boards) => {
    const section = document.getElementById("boards");
    if (!section) return;
    section.hidden = boards.length === 0;
    const grid = section.querySelector(".boards");
    for (const [worker, place] of places) {
      if (!boards.some((board) => board.worker === worker && board.size === place.size)) {
        place.figure.remove();
        places.delete(worker);
      }
    }
    for (const board of boards) {
      let place = places.get(board.worker);
      if (!place) {
        const figure = document.createElement("figure"), caption = document.createElement("figcaption");
        const drawn = drawnBoard(board.size);
        figure.append(drawn.drawing, caption);
        grid.append(figure);
        place = { figure, caption, drawn, size: board.size };
        place.figure.setAttribute("role", "img");
        places.set(board.worker, place);
      }
      place.drawn.show([...board.stones].map((stone) => Math.max(0, ".XO".indexOf(stone))), board.last);
      place.figure.dataset.stones = board.stones;
      place.caption.textContent = board.caption;
      place.figure.setAttribute("aria-label", `Board of ${board.caption}`);
    }
  };

  const showConnection = (text) => { if (connection.textContent !== text) connection.textContent = text; };
  const source = new EventSource(connection.dataset.events);
  source.addEventListener("open", () => showConnection("● Live: updates automatically."));
  source.addEventListener("error", () => showConnection("○ No connection. The numbers are the last ones received; trying again."));
  source.addEventListener("change", (event) => {
    const change = JSON.parse(event.data);
    for (const [name, html] of Object.entries(change.sections ?? {})) {
      const part = document.getElementById(name);
      if (part) morphChildren(part, parsed(html));
    }
    if (change.boards) showBoards(change.boards);
    if (change.title) document.title = change.title;
    document.dispatchEvent(new Event("changed"));
  });
  source.addEventListener("gone", () => {
    source.close();
    showBoards([]);
    showConnection("○ This run or check was deleted. The numbers are the last ones received.");
  });
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
})();
