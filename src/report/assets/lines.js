// Sorts the table of lines by the column whose heading is pressed. Numbers stand before cells without one, whichever
// way a column is sorted.
"use strict";
(() => {
  const table = document.querySelector("table.lines"), body = table.tBodies[0];
  const headings = [...table.tHead.rows[0].cells];

  function sort(column) {
    const heading = headings[column];
    const down = heading.getAttribute("aria-sort") === "ascending";
    headings.forEach(other => other.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const numeric = heading.classList.contains("number");
    const key = row => {
      const text = row.cells[column].textContent;
      return numeric ? (text === "" ? NaN : Number(text)) : text;
    };
    const compare = (a, b) => {
      if (numeric && (isNaN(a) || isNaN(b))) return isNaN(a) - isNaN(b);
      const order = numeric ? a - b : a.localeCompare(b);
      return down ? -order : order;
    };
    const rows = [...body.rows].map(row => [key(row), row]);
    rows.sort((a, b) => compare(a[0], b[0]));
    body.append(...rows.map(row => row[1]));
  }

  headings.forEach((heading, column) => heading.firstChild.addEventListener("click", () => sort(column)));
})();
