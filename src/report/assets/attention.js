"use strict";
// Draws one head's weights as a field with tokens on both axes, and all heads as small pictures to choose from.
(() => {
  const data = JSON.parse(document.getElementById("attention-data").textContent);
  const main = document.getElementById("attention");
  const SVG = "http://www.w3.org/2000/svg";
  const KINDS = attentionKinds, numbers = attentionNumbers(data);

  const state = readState();
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const view = { matrix: null, cell: 0, row: 0, column: 0, shown: false };

  // --- elements; text always goes in as text ---

  function element(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    return fill(node, attributes, children);
  }
  function svg(tag, attributes = {}, ...children) {
    return fill(document.createElementNS(SVG, tag), attributes, children);
  }
  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }

  const title = element("h2", { id: "map-title" });
  const about = element("p", { class: "about" });
  const readout = element("output", { id: "readout", "aria-live": "polite" });
  const field = element("div", { class: "field", tabindex: "0", role: "application", "aria-labelledby": "map-title",
    "aria-describedby": "readout keys" });
  const scale = element("div", { class: "scale" });
  const overview = element("div", { class: "overview", role: "group", "aria-label": "All heads" });
  const sourceLine = element("p", { class: "text", lang: "" });
  const targetLine = element("p", { class: "text", lang: "" });
  const targetName = element("span", { class: "name" });

  function radios(name, legend, options) {
    const group = element("fieldset", {}, element("legend", {}, legend));
    for (const [value, text] of options) {
      const input = element("input", { type: "radio", name, value: String(value) });
      input.checked = String(state[name]) === String(value);
      input.addEventListener("change", () => {
        state[name] = typeof state[name] === "number" ? Number(value) : value;
        update();
      });
      group.append(element("label", {}, input, element("span", {}, text)));
    }
    return group;
  }

  function count(n) {
    return Array.from({ length: n }, (_, i) => [i + 1, String(i + 1)]);
  }

  function build() {
    const chooser = element("select", { id: "sentence" });
    data.sentences.forEach((sentence, i) => {
      const short = sentence.source.length > 90 ? sentence.source.slice(0, 90) + "…" : sentence.source;
      chooser.append(element("option", { value: String(i) }, `${i + 1}. ${short}`));
    });
    chooser.value = String(state.sentence);
    chooser.addEventListener("change", () => { state.sentence = Number(chooser.value); update(); });
    const several = data.sentences.length > 1;
    main.append(
      element("header", {}, element("h1", {}, "Attention"),
        element("p", { class: "facts" }, `${data.model} · ${data.layers} layers · ${data.heads} heads`)),
      element("section", { class: "sentence" },
        ...(several ? [element("label", { class: "choose", for: "sentence" }, "Sentence"), chooser] : []),
        element("div", { class: "pair" }, element("span", { class: "name" }, "Source"), sourceLine, targetName, targetLine)),
      element("form", { class: "controls" },
        radios("kind", "Attention", KINDS.map((kind, i) => [i, kind.name])),
        radios("layer", "Layer", count(data.layers)),
        radios("head", "Head", [[0, "mean"], ...count(data.heads)]),
        radios("tokens", "Tokens", [["pieces", "pieces"], ["words", "words"]]),
        radios("colours", "Darkest at", [["one", "1"], ["largest", "largest"]])),
      element("div", { class: "views" },
        element("section", { class: "map" }, title, about,
          element("div", { class: "above-field" }, readout, scale), field,
          element("p", { class: "keys", id: "keys" }, "Arrow keys move over the field when it has the focus.")),
        element("section", { class: "all" }, element("h2", {}, "All heads"), overview)));
    main.querySelector("form").addEventListener("submit", event => event.preventDefault());
  }

  // --- the large field ---

  const ruler = document.createElement("canvas").getContext("2d");
  function textWidth(text, size) {
    ruler.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
    return ruler.measureText(text).width;
  }
  // The text itself, or as much of it as fits.
  function fitted(text, size, width) {
    if (textWidth(text, size) <= width) return text;
    let end = text.length;
    while (end > 1 && textWidth(text.slice(0, end) + "…", size) > width) --end;
    return text.slice(0, end) + "…";
  }

  function layout(rows, columns) {
    const room = field.clientWidth - 4;
    const size = 12.5;
    const widest = list => Math.max(...list.map(token => textWidth(token.text, size)));
    const left = Math.max(84, Math.ceil(Math.min(widest(rows), Math.max(70, room * 0.3), 190)) + 12);
    const length = Math.min(widest(columns), 150);
    const cell = Math.max(14, Math.min(46, Math.floor((room - left - 0.57 * length) / columns.length)));
    const upright = cell < 19;
    const height = Math.ceil((upright ? length : 0.82 * length) + 14);
    const overhang = upright ? 4 : Math.ceil(0.57 * length) + 4;
    return { left, length, cell, upright, height, overhang, size: cell < 15 ? 11 : size };
  }

  function drawField() {
    const { rows, columns, values, masked } = view.matrix = numbers.matrix(state, state.kind, state.layer, state.head);
    const largest = darkest(view.matrix);
    main.classList.toggle("long", columns.length > 32);
    const at = layout(rows, columns), { cell, left, height } = at;
    view.cell = cell;
    const width = cell * columns.length, wide = width + at.overhang;

    const top = svg("svg", { class: "figure top", width: wide, height });
    columns.forEach((token, j) => {
      const x = (j + 0.5) * cell + 4, y = height - 6;
      top.append(label(token.text, at, at.length, { x, y, transform: `rotate(${at.upright ? -90 : -55} ${x} ${y})`, "data-column": j }));
    });
    const side = svg("svg", { class: "figure side", width: left, height: cell * rows.length });
    rows.forEach((token, i) => {
      side.append(label(token.text, at, left - 12, { x: left - 6, y: (i + 0.5) * cell + 4.5, "text-anchor": "end", "data-row": i }));
    });
    const cells = svg("svg", { class: "figure cells-box", width: wide, height: cell * rows.length + 1 },
      svg("defs", {}, svg("pattern", { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
        svg("path", { class: "hatch", d: "M0 0V5" }))));
    const group = svg("g", { class: "cells" });
    rows.forEach((_, i) => columns.forEach((__, j) => {
      const hidden = masked(i, j);
      if (!hidden && values[i][j] / largest < 0.0005) return;
      group.append(svg("rect", { class: hidden ? "masked" : "above", x: j * cell, y: i * cell, width: cell, height: cell,
        ...(hidden ? { fill: "url(#hatch)" } : { "fill-opacity": Math.min(1, values[i][j] / largest).toFixed(3) }) }));
    }));
    cells.append(group, lines(rows.length, columns.length, cell));
    if (cell >= 33) {
      const strong = dark.matches ? 0.57 : 0.77; // from there on the other ink reads better
      rows.forEach((_, i) => columns.forEach((__, j) => {
        if (masked(i, j)) return;
        cells.append(svg("text", { class: values[i][j] / largest > strong ? "value strong" : "value", x: (j + 0.5) * cell,
          y: (i + 0.5) * cell + 4, "text-anchor": "middle" }, values[i][j].toFixed(2)));
      }));
    }
    cells.append(svg("rect", { class: "frame", x: 0.5, y: 0.5, width: width - 1, height: cell * rows.length - 1 }),
      svg("rect", { class: "cursor", width: cell, height: cell, visibility: "hidden" }));

    field.replaceChildren(element("div", { class: "corner" }, element("span", { class: "row-name" }, KINDS[state.kind].row),
      element("span", { class: "column-name" }, KINDS[state.kind].column)), top, side, cells);
    field.style.gridTemplateColumns = `${left}px ${wide}px`;
    field.style.scrollPadding = `${height + cell}px ${cell}px ${cell}px ${left + cell}px`;
    cells.addEventListener("pointermove", event => pointAt(event, cells));
    cells.addEventListener("pointerdown", event => pointAt(event, cells));
    cells.addEventListener("pointerleave", () => { if (document.activeElement !== field) hideCell(); });
    drawScale(largest);
  }

  // SentencePiece's mark of a word's begin is there, but out of the way.
  function label(text, at, room, attributes) {
    const shown = fitted(text, at.size, room), mark = state.tokens === "pieces" && shown.startsWith("▁") ? 1 : 0;
    return svg("text", { class: "token", style: `font-size: ${at.size}px`, ...attributes },
      svg("tspan", { class: "mark" }, shown.slice(0, mark)), shown.slice(mark), svg("title", {}, text));
  }

  // Thin lines between cells, where they are large enough not to drown in them.
  function lines(rows, columns, cell) {
    if (cell < 12) return svg("g");
    let path = "";
    for (let i = 1; i < rows; ++i) path += `M0 ${i * cell}H${columns * cell}`;
    for (let j = 1; j < columns; ++j) path += `M${j * cell} 0V${rows * cell}`;
    return svg("path", { class: "lines", d: path });
  }

  function darkest({ values }) {
    return state.colours === "one" ? 1 : Math.max(1e-9, ...values.map(row => Math.max(...row)));
  }

  function drawScale(largest) {
    scale.replaceChildren(element("span", {}, "0"), element("span", { class: "ramp" }), element("span", {}, largest === 1 ? "1" : largest.toFixed(3)));
  }

  // --- values under the pointer and the keys ---

  function pointAt(event, cells) {
    const box = cells.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / view.cell), row = Math.floor((event.clientY - box.top) / view.cell);
    if (row < 0 || column < 0 || row >= view.matrix.rows.length || column >= view.matrix.columns.length) return hideCell();
    showCell(row, column);
  }

  function showCell(row, column) {
    Object.assign(view, { row, column, shown: true });
    const cursor = field.querySelector(".cursor");
    cursor.setAttribute("x", column * view.cell);
    cursor.setAttribute("y", row * view.cell);
    cursor.setAttribute("visibility", "visible");
    field.querySelectorAll(".on").forEach(node => node.classList.remove("on"));
    field.querySelector(`[data-row="${row}"]`).classList.add("on");
    field.querySelector(`[data-column="${column}"]`).classList.add("on");
    const from = view.matrix.rows[row].text, to = view.matrix.columns[column].text;
    const value = view.matrix.masked(row, column) ? "masked" : view.matrix.values[row][column].toFixed(6);
    readout.replaceChildren(element("bdi", {}, from), " → ", element("bdi", {}, to), " ", element("b", {}, value));
  }

  function hideCell() {
    view.shown = false;
    field.querySelector(".cursor").setAttribute("visibility", "hidden");
    field.querySelectorAll(".on").forEach(node => node.classList.remove("on"));
    readout.replaceChildren("Point at a cell for its value.");
  }

  const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  field.addEventListener("keydown", event => {
    const { rows, columns } = view.matrix;
    let { row, column } = view;
    if (event.key in STEPS) {
      if (view.shown) { row += STEPS[event.key][0]; column += STEPS[event.key][1]; }
    } else if (event.key === "Home") { column = 0;
    } else if (event.key === "End") { column = columns.length - 1;
    } else if (event.key === "Escape") { return hideCell();
    } else { return; }
    event.preventDefault();
    showCell(Math.max(0, Math.min(rows.length - 1, row)), Math.max(0, Math.min(columns.length - 1, column)));
    field.querySelector(".cursor").scrollIntoView({ block: "nearest", inline: "nearest" });
  });

  // --- all heads ---

  function drawOverview() {
    const heads = [0, ...count(data.heads).map(([h]) => h)];
    overview.style.gridTemplateColumns = `auto repeat(${heads.length}, minmax(0, 1fr))`;
    overview.replaceChildren(element("span", {}), ...heads.map(h => element("span", { class: "head-name" }, h === 0 ? "mean" : String(h))));
    const ink = inkOf();
    for (let layer = 1; layer <= data.layers; ++layer) {
      overview.append(element("span", { class: "layer-name" }, String(layer)));
      for (const head of heads) {
        const name = head === 0 ? `Layer ${layer}, mean of its heads` : `Layer ${layer}, head ${head}`;
        const chosen = layer === state.layer && head === state.head;
        const button = element("button", { type: "button", title: name, "aria-label": name, "aria-pressed": String(chosen), tabindex: "-1" },
          thumbnail(numbers.matrix(state, state.kind, layer, head), ink));
        button.addEventListener("click", () => { state.layer = layer; state.head = head; update(); });
        overview.append(button);
      }
    }
  }

  function inkOf() {
    const probe = svg("svg", { class: "figure", width: 0, height: 0 }, svg("path", { class: "above" }));
    main.append(probe);
    const colour = getComputedStyle(probe.firstChild).fill.match(/[\d.]+/g).map(Number);
    probe.remove();
    return colour;
  }

  function thumbnail(shown, ink) {
    const rows = shown.rows.length, columns = shown.columns.length, largest = darkest(shown);
    const canvas = element("canvas", { width: columns, height: rows });
    const context = canvas.getContext("2d"), image = context.createImageData(columns, rows);
    shown.values.flat().forEach((value, i) => image.data.set([...ink.slice(0, 3), 255 * Math.min(1, value / largest)], 4 * i));
    context.putImageData(image, 0, 0);
    return canvas;
  }

  // --- what is chosen, kept in the address so that it can be linked to and survives a reload ---

  function readState() {
    const first = { sentence: 0, kind: data.first.kind, layer: data.first.layer, head: data.first.head, tokens: "pieces", colours: "one" };
    const most = { sentence: data.sentences.length - 1, kind: KINDS.length - 1, layer: data.layers, head: data.heads };
    const texts = { tokens: ["pieces", "words"], colours: ["one", "largest"] };
    for (const [key, value] of new URLSearchParams(location.hash.slice(1))) {
      if (key in most && /^\d+$/.test(value) && Number(value) <= most[key] && (key !== "layer" || Number(value) > 0)) first[key] = Number(value);
      if (key in texts && texts[key].includes(value)) first[key] = value;
    }
    return first;
  }

  function update() {
    const sentence = data.sentences[state.sentence], kind = KINDS[state.kind];
    history.replaceState(null, "", "#" + new URLSearchParams(state));
    for (const input of main.querySelectorAll("input[type=radio]")) input.checked = String(state[input.name]) === input.value;
    sourceLine.textContent = sentence.source;
    targetLine.textContent = sentence.translation;
    targetName.textContent = sentence.forced ? "Given translation" : "Translation";
    title.textContent = `${kind.name} attention, layer ${state.layer}, ${state.head === 0 ? "mean of all heads" : "head " + state.head}`;
    about.textContent = kind.about;
    const { row, column, shown } = view;
    drawField();
    drawOverview();
    if (shown && row < view.matrix.rows.length && column < view.matrix.columns.length) showCell(row, column); else hideCell();
  }

  build();
  update();
  window.addEventListener("resize", () => requestAnimationFrame(update));
  dark.addEventListener("change", update);
})();
