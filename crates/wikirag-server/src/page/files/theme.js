// Colours: as the system says, or as the reader chose. A classic script in the head, so that the choice holds before the first paint.
(() => {
  const names = { auto: "as the system", light: "light", dark: "dark" };
  const order = Object.keys(names);
  // A browser may forbid storage; then the choice lasts as long as the page.
  const kept = () => {
    try {
      return localStorage.getItem("wikirag.theme");
    } catch {
      return null;
    }
  };
  const keep = (name) => {
    try {
      localStorage.setItem("wikirag.theme", name);
    } catch {
      /* lasts as long as the page */
    }
  };
  let theme = order.includes(kept()) ? kept() : "auto";
  const show = () => {
    document.documentElement.dataset.theme = theme;
    document
      .getElementById("theme")
      ?.setAttribute("aria-label", `Colours: ${names[theme]}`);
  };
  show();
  addEventListener("DOMContentLoaded", () => {
    show();
    document.getElementById("theme").addEventListener("click", () => {
      theme = order[(order.indexOf(theme) + 1) % order.length];
      keep(theme);
      show();
    });
  });
})();
