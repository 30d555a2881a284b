"use strict";
// Reads values out of line charts: under the pointer, or with the arrow keys when a chart has the focus.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const numbers = text => (text ? text.split(" ").map(Number) : []);
  const short = value => Number(value.toPrecision(5)).toLocaleString("en", { maximumSignificantDigits: 5 });

  function seriesOf(chart) {
    return [...chart.querySelectorAll("g.series[data-name]")].map(group => {
      const pixels = numbers(group.dataset.pixels);
      return { name: group.dataset.name, x: numbers(group.dataset.x), y: numbers(group.dataset.y),
        px: pixels.filter((_, i) => i % 2 === 0), py: pixels.filter((_, i) => i % 2 === 1) };
    }).filter(series => series.x.length > 0);
  }

  // Index of the point whose pixel column is nearest; columns rise.
  function nearest(series, pixel) {
    let low = 0, high = series.px.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (series.px[middle] < pixel) low = middle + 1; else high = middle;
    }
    return low > 0 && pixel - series.px[low - 1] < series.px[low] - pixel ? low - 1 : low;
  }

  function attach(figure) {
    const chart = figure.querySelector("svg"), readout = figure.querySelector("output");
    const all = seriesOf(chart);
    if (all.length === 0) return;
    const marks = document.createElementNS(SVG, "g");
    chart.append(marks);
    chart.setAttribute("tabindex", "0");
    const columns = [...new Set(all.flatMap(series => series.px))].sort((a, b) => a - b);
    let place = -1;

    function show(pixel) {
      const found = all.map(series => ({ series, i: nearest(series, pixel) }));
      const best = found.reduce((a, b) => Math.abs(a.series.px[a.i] - pixel) <= Math.abs(b.series.px[b.i] - pixel) ? a : b);
      const at = best.series.px[best.i];
      const shown = found.filter(({ series, i }) => Math.abs(series.px[i] - at) < 3);
      place = columns.indexOf(at);
      marks.replaceChildren();
      const line = document.createElementNS(SVG, "path");
      line.setAttribute("class", "crosshair");
      const frame = chart.querySelector(".axis").getBBox();
      line.setAttribute("d", `M${at} ${frame.y}v${frame.height}`);
      marks.append(line);
      for (const { series, i } of shown) {
        const dot = document.createElementNS(SVG, "circle");
        for (const [name, value] of [["class", "marker"], ["cx", series.px[i]], ["cy", series.py[i]], ["r", 3.5]]) dot.setAttribute(name, value);
        marks.append(dot);
      }
      const values = shown.map(({ series, i }) => (all.length > 1 ? series.name + " " : "") + short(series.y[i]));
      readout.textContent = `${chart.parentNode.dataset.x} ${short(best.series.x[best.i])}: ${values.join(", ")}`;
    }

    function hide() {
      marks.replaceChildren();
      readout.textContent = "";
    }

    chart.addEventListener("pointermove", event => {
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(chart.getScreenCTM().inverse());
      show(point.x);
    });
    chart.addEventListener("pointerleave", hide);
    chart.addEventListener("blur", hide);
    chart.addEventListener("keydown", event => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (event.key === "Escape") return hide();
      if (step === undefined) return;
      event.preventDefault();
      const start = place < 0 ? (step > 0 ? -1 : columns.length) : place;
      show(columns[Math.max(0, Math.min(columns.length - 1, start + step))]);
    });
  }

  document.querySelectorAll(".charts figure").forEach(attach);
})();
