"use strict";
// Copy buttons, tables that sort, a hint at tables that scroll sideways, and folded parts that open for printing and
// for links into them.
(() => {
  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const text = button.parentElement.querySelector("pre").textContent;
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        // A page that is opened from a file may lack the clipboard: select the text, so that the keyboard copies it.
        getSelection().selectAllChildren(button.parentElement.querySelector("pre"));
        document.execCommand("copy");
      }
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }

  const value = (row, column) => {
    const text = row.cells[column].textContent.trim();
    const number = parseFloat(text.replace(/[,\s%±]/g, ""));
    return Number.isNaN(number) ? text : number;
  };
  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b));
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const rows = [...table.tBodies[0].rows];
        rows.sort((a, b) => (down ? -1 : 1) * compare(value(a, column), value(b, column)));
        table.tBodies[0].append(...rows);
      });
    });
  }

  const hint = () => {
    for (const box of document.querySelectorAll(".scroll")) box.toggleAttribute("data-more", box.scrollWidth > box.clientWidth + 1);
  };
  addEventListener("resize", hint);
  document.addEventListener("toggle", hint, true); // a folded part that opens
  document.addEventListener("changed", hint); // a live page that was updated, or another list of games
  hint();

  addEventListener("beforeprint", () => {
    for (const part of document.querySelectorAll("details:not([open])")) {
      if (part.closest(".passed:not([open])")) continue; // on paper, its summary is enough
      part.dataset.folded = "";
      part.open = true;
    }
  });
  addEventListener("afterprint", () => {
    for (const part of document.querySelectorAll("details[data-folded]")) {
      delete part.dataset.folded;
      part.open = false;
    }
  });
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let part = target; part; part = part.parentElement) {
      if (part.tagName === "DETAILS") part.open = true;
    }
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
