// Runs before the first paint so that a chosen theme never flashes. A classic script on purpose: modules wait.
"use strict";
(function () {
  const root = document.documentElement;
  try {
    const saved = JSON.parse(localStorage.getItem("samedeal.settings") || "{}");
    if (saved.theme === "light" || saved.theme === "dark") root.dataset.theme = saved.theme;
    if (saved.fourColours) root.dataset.deck = "four";
    if (saved.nastaliq) root.dataset.script = "nastaliq";
    if (saved.language) {
      root.lang = saved.language;
      root.dir = saved.language === "ur" ? "rtl" : "ltr";
    }
    if (saved.animation === "off") root.dataset.motion = "off";
  } catch {
    // Storage may be forbidden; the system's theme serves.
  }
})();
