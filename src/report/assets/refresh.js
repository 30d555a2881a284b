"use strict";
// Says how old a running training's report is, and opens it anew while it is looked at.
(() => {
  const written = document.getElementById("written");
  const follow = document.getElementById("follow");
  if (!written || !follow) return;
  const PAUSE = 15, QUIET = 600; // seconds
  const opened = Date.now();
  follow.checked = sessionStorage.getItem("follow") !== "no";
  follow.addEventListener("change", () => sessionStorage.setItem("follow", follow.checked ? "yes" : "no"));
  setInterval(() => {
    const age = Math.max(0, Math.round((Date.now() - Date.parse(written.dateTime)) / 1000));
    const text = age < 120 ? `${age} s` : age < 7200 ? `${Math.round(age / 60)} min` : `${Math.round(age / 3600)} h`;
    written.textContent = `written ${text} ago` + (age > QUIET ? "; the training may have ended since" : "");
    const due = Date.now() - opened > 1000 * PAUSE;
    if (due && age <= QUIET && follow.checked && !document.hidden) location.reload();
  }, 1000);
})();
