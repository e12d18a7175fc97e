"use strict";
// The viewer of games: decodes the games of the page (see game_codes.py), replays them, steps by keys and buttons.
(() => {
  const data = JSON.parse(document.getElementById("games-data").textContent);
  if (!data.games.length) return;
  const [ID, BLACK, WHITE, RESULT, REASON, OPENING, OPENING_MOVES, MOVES, SEARCHES] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const ROWS = 50;
  let size = 0, points = 0, neighbours = [], drawing, vertex, draw; // of the board of the shown game
  const digit = new Map([...data.alphabet].map((char, index) => [char, index]));
  const element = (id) => document.getElementById(id);
  const svg = svgElement;

  const number = (code) => [...code].reduce((value, char) => value * data.alphabet.length + digit.get(char), 0);

  const sizeOf = (game) => data.sizes[game[ID]] ?? data.size;
  const moveLength = (boardSize) => (boardSize * boardSize < data.alphabet.length ? 1 : 2);

  const movesOf = (game) => {
    const moves = [], code = game[MOVES] ?? "";
    let colour = 2; // the colour of the previous move: 1 black, 2 white
    const digits = moveLength(sizeOf(game));
    for (let at = 0; at < code.length; at += digits) {
      if (code[at] === data.mark) at += 1;
      else colour = 3 - colour;
      moves.push({ colour, point: number(code.slice(at, at + digits)) });
    }
    const searches = game[SEARCHES];
    for (let at = 0; at < searches.length; at += 5) {
      const move = moves[game[OPENING_MOVES] + at / 5];
      const nodes = searches.slice(at, at + 3), score = searches.slice(at + 3, at + 5);
      if (!nodes.includes(data.mark)) move.nodes = number(nodes) * data.nodesStep;
      if (!score.includes(data.mark)) move.score = number(score) / data.scoreSteps;
    }
    return moves;
  };

  const neighboursOf = () => Array.from({ length: points }, (_, point) => {
    const row = Math.floor(point / size), column = point % size, beside = [];
    if (row > 0) beside.push(point - size);
    if (row < size - 1) beside.push(point + size);
    if (column > 0) beside.push(point - 1);
    if (column < size - 1) beside.push(point + 1);
    return beside;
  });

  // The chain of the stone at `start` if it has no liberty; otherwise an empty list.
  const deadChain = (stones, start) => {
    const chain = [start], seen = new Set(chain);
    for (const stone of chain) {
      for (const beside of neighbours[stone]) {
        if (stones[beside] === 0) return [];
        if (stones[beside] === stones[start] && !seen.has(beside)) {
          seen.add(beside);
          chain.push(beside);
        }
      }
    }
    return chain;
  };

  // The board after each move; before the first move, an empty board.
  const positionsOf = (moves) => {
    const positions = [new Uint8Array(points)];
    for (const move of moves) {
      const stones = positions[positions.length - 1].slice();
      move.taken = 0;
      if (move.point < points) {
        stones[move.point] = move.colour;
        for (const beside of neighbours[move.point]) {
          if (stones[beside] !== 3 - move.colour) continue;
          const dead = deadChain(stones, beside);
          for (const stone of dead) stones[stone] = 0;
          move.taken += dead.length;
        }
        for (const stone of deadChain(stones, move.point)) stones[stone] = 0; // suicide, where the rules allow it
      }
      positions.push(stones);
    }
    return positions;
  };

  const board = element("board");
  const useSize = (wanted) => {
    if (wanted === size) return;
    size = wanted;
    points = size * size;
    neighbours = neighboursOf();
    ({ drawing, vertex, show: draw } = drawnBoard(size));
    board.replaceChildren(drawing);
  };

  // Round numbers from 0 to `high`, with at most `most` steps.
  const ticks = (high, most) => {
    const raw = high / most, power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= raw * 0.999);
    return Array.from({ length: Math.floor(high / step + 1e-9) + 1 }, (_, number) => number * step);
  };

  // Nodes and score along the game. Both axes begin at 0.
  const along = element("along");
  const chart = (moves, key, name, colour, high) => {
    const known = moves.map((move, index) => [index + 1, move[key]]).filter(([, value]) => value !== undefined);
    if (!known.length) return null;
    const values = known.map(([, value]) => value);
    const top = high ?? (Math.max(...values) || 1);
    const x = (at) => 46 + (at / Math.max(1, moves.length)) * 406;
    const y = (value) => 76 - (value / top) * 64;
    const label = `${name} along the game, from ${Math.min(...values).toLocaleString("en")} to ${Math.max(...values).toLocaleString("en")}`;
    const made = svg("svg", { viewBox: "0 0 460 94", role: "img", "aria-label": label, class: "chart" });
    for (const value of ticks(top, 4)) {
      made.append(svg("line", { x1: 46, x2: 452, y1: y(value), y2: y(value), class: "rule" }));
      const text = value.toLocaleString("en", { notation: top < 1e5 ? "standard" : "compact" });
      made.append(svg("text", { x: 42, y: y(value) + 3.5, class: "tick end" }, text));
    }
    for (const [at, value] of known) made.append(svg("circle", { cx: x(at), cy: y(value), r: 2.2, class: `point ${colour[moves[at - 1].colour - 1]}` }));
    made.append(svg("text", { x: 249, y: 90, class: "axis middle" }, name));
    const cursor = svg("line", { x1: x(0), x2: x(0), y1: 8, y2: 80, class: "cursor" });
    made.append(cursor);
    return { made, move: (at) => { cursor.setAttribute("x1", x(at)); cursor.setAttribute("x2", x(at)); } };
  };

  let game = null, index = -1, moves = [], positions = [], at = 0, charts = [];

  const show = (step) => {
    at = Math.max(0, Math.min(moves.length, step));
    const stones = positions[at], move = moves[at - 1];
    draw(stones, move && move.point < points ? move.point : null);
    board.dataset.stones = Array.from(stones, (stone) => ".XO"[stone]).join("");
    element("slider").value = at;
    element("first").disabled = element("back").disabled = at === 0;
    element("last").disabled = element("forward").disabled = at === moves.length;
    let text = `Start of the game, ${moves.length} moves`;
    if (move) {
      text = `Move ${at} of ${moves.length}: ${move.colour === 1 ? "Black" : "White"} ${vertex(move.point)}`;
      if (move.taken) text += `, takes ${move.taken} ${move.taken === 1 ? "stone" : "stones"}`;
      if (at <= game[OPENING_MOVES]) text += ", of the opening";
      if (move.nodes !== undefined) {
        text += `; ${move.nodes.toLocaleString("en")} nodes`;
        const playouts = data.playouts[game[move.colour === 1 ? BLACK : WHITE]];
        if (playouts) text += ` (${(move.nodes / playouts).toFixed(1)} a playout)`;
      }
      if (move.score !== undefined) text += `; score ${move.score.toFixed(3)}`;
    }
    if (game[MOVES] === null) text = "The moves of this game are not in the page. See the game records (format sgf).";
    element("status").textContent = text;
    board.setAttribute("aria-label", `Board. ${text}`);
    for (const one of charts) one.move(at);
  };

  const open = (which, step = 0) => {
    index = which;
    game = data.games[which];
    useSize(sizeOf(game));
    moves = movesOf(game);
    positions = positionsOf(moves);
    element("slider").max = moves.length;
    element("game-title").textContent = `${game[ID]}: ${data.bots[game[BLACK]]} (Black) – ${data.bots[game[WHITE]]} (White), ${game[RESULT]}`;
    const detail = data.details[which];
    element("game-facts").textContent = `Ended by ${data.reasons[game[REASON]]}${detail ? `: ${detail}` : ""}. Opening: ${data.openings[game[OPENING]]}.`;
    charts = [chart(moves, "nodes", "Nodes of each search", ["c0", "c1 hollow"]), chart(moves, "score", "Score that the mover reports", ["c0", "c1 hollow"], 1)].filter(Boolean);
    along.replaceChildren(...charts.map((one) => one.made));
    if (charts.length) {
      const note = document.createElement("p");
      note.className = "meta";
      for (const [colour, name] of [["c0", "Black"], ["c1 hollow", "White"]]) {
        const sample = svg("svg", { viewBox: "0 0 10 10", class: "sample", "aria-hidden": "true" });
        sample.append(svg("circle", { cx: 5, cy: 5, r: 4, class: `point ${colour}` }));
        note.append(sample, ` ${name}  `);
      }
      along.append(note);
    }
    for (const row of element("game-rows").rows) row.toggleAttribute("data-current", Number(row.dataset.game) === which);
    show(step);
  };

  // The list: only the rows of one page exist.
  let listed = [], page = 0;
  const list = () => {
    const bot = element("filter-bot").value, reason = element("filter-reason").value;
    listed = [];
    data.games.forEach((one, which) => {
      if (bot !== "" && one[BLACK] !== Number(bot) && one[WHITE] !== Number(bot)) return;
      if (reason !== "" && one[REASON] !== Number(reason)) return;
      listed.push(which);
    });
    turn(0);
  };
  // A long name by both of its ends, as in the tables of the page.
  const short = (name) => name.length <= 24 ? name : `${name.slice(0, 12)}…${name.slice(-11)}`;
  const turn = (to) => {
    const pages = Math.max(1, Math.ceil(listed.length / ROWS));
    page = Math.max(0, Math.min(pages - 1, to));
    const rows = listed.slice(page * ROWS, (page + 1) * ROWS).map((which) => {
      const one = data.games[which], row = document.createElement("tr");
      row.dataset.game = which;
      row.toggleAttribute("data-current", which === index);
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = one[ID];
      button.addEventListener("click", () => { open(which); board.focus(); });
      const code = one[MOVES];
      const length = code === null ? "–" : [...code].filter((char) => char !== data.mark).length / moveLength(sizeOf(one));
      for (const content of [button, short(data.bots[one[BLACK]]), short(data.bots[one[WHITE]]), one[RESULT], length]) {
        const cell = row.insertCell();
        cell.append(content);
      }
      row.cells[0].className = row.cells[3].className = "whole";
      row.cells[1].title = data.bots[one[BLACK]];
      row.cells[2].title = data.bots[one[WHITE]];
      row.cells[4].className = "number";
      return row;
    });
    element("game-rows").replaceChildren(...rows);
    element("page-number").textContent = `${listed.length.toLocaleString("en")} games, page ${page + 1} of ${pages}`;
    element("page-back").disabled = page === 0;
    element("page-forward").disabled = page === pages - 1;
    document.dispatchEvent(new Event("changed"));
  };
  const neighbour = (step) => {
    const place = listed.indexOf(index) + step;
    if (place < 0 || place >= listed.length) return;
    if (Math.floor(place / ROWS) !== page) turn(Math.floor(place / ROWS));
    open(listed[place]);
  };

  data.bots.forEach((name, which) => element("filter-bot").append(new Option(name, which)));
  data.reasons.forEach((name, which) => element("filter-reason").append(new Option(name, which)));
  element("filter-bot").addEventListener("change", list);
  element("filter-reason").addEventListener("change", list);
  element("page-back").addEventListener("click", () => turn(page - 1));
  element("page-forward").addEventListener("click", () => turn(page + 1));
  element("first").addEventListener("click", () => show(0));
  element("back").addEventListener("click", () => show(at - 1));
  element("forward").addEventListener("click", () => show(at + 1));
  element("last").addEventListener("click", () => show(moves.length));
  element("slider").addEventListener("input", (event) => show(Number(event.target.value)));
  const keys = {
    ArrowLeft: () => show(at - 1),
    ArrowRight: () => show(at + 1),
    PageUp: () => show(at - 10),
    PageDown: () => show(at + 10),
    Home: () => show(0),
    End: () => show(moves.length),
    n: () => neighbour(1),
    p: () => neighbour(-1),
  };
  // Keys act while the focus is in the viewer; the arrows also while nothing has the focus. Lists keep the keys
  // that they use themselves.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
    const target = event.target, arrow = event.key === "ArrowLeft" || event.key === "ArrowRight";
    if (!target.closest("#viewer") && !(arrow && target === document.body)) return;
    if (target.closest("select, .list") && event.key.length > 1) return;
    event.preventDefault();
    keys[event.key]();
  });

  // An address that ends in #game-ID opens this game: the failures and the live page lead there.
  const follow = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    if (!id.startsWith("game-")) return;
    const which = data.games.findIndex((one) => one[ID] === id.slice(5));
    if (which < 0) {
      element("game-title").textContent = `${id.slice(5)} is not on this page: reload it in a minute, or see games.csv`;
    } else {
      if (!listed.includes(which)) {
        element("filter-bot").value = element("filter-reason").value = "";
        list();
      }
      turn(Math.floor(listed.indexOf(which) / ROWS));
      open(which);
    }
    element("games").scrollIntoView();
  };
  addEventListener("hashchange", follow);

  element("viewer").hidden = false;
  list();
  open(0);
  follow();
})();
