// A match as a book: arrow keys, a slider, and play. Everything here only follows links that stand on the page anyway.
(function () {
  "use strict";
  const steps = document.querySelector("nav.steps[data-position]");
  const turns = window.turns;
  if (!steps || !Array.isArray(turns) || turns.length < 2) return;
  const here = turns.findIndex((turn) => turn[0] === Number(steps.dataset.position));
  if (here < 0) return;
  const picture = document.querySelector("section.now figure.board img");
  const caption = document.querySelector("section.now figure.board figcaption");
  const own = { alt: picture && picture.alt, caption: caption && caption.textContent };
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let shown = here;
  let timer = 0;

  function leaf(index) {
    return turns[index][0] + ".html";
  }

  function go(index) {
    if (index >= 0 && index < turns.length && index !== here) location.assign(leaf(index));
  }

  // The board of another turn, before its page is opened.
  function preview(index) {
    shown = index;
    slider.value = String(index + 1);
    slider.setAttribute("aria-valuetext", turns[index][3] + ": " + turns[index][1]);
    label.textContent = turns[index][3] + ": " + turns[index][1];
    if (picture && turns[index][2]) {
      picture.src = "boards/" + turns[index][2] + ".svg";
      picture.alt = index === here ? own.alt : "The board then: " + turns[index][1];
    }
    if (caption) caption.textContent = index === here ? own.caption : turns[index][1];
    document.body.classList.toggle("preview", index !== here);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
    go(shown);
  }

  function start() {
    if (shown === turns.length - 1) preview(0);
    play.textContent = "Stop";
    timer = setInterval(function () {
      if (shown === turns.length - 1) stop();
      else preview(shown + 1);
    }, still ? 2000 : 900);
  }

  const bar = document.createElement("div");
  bar.className = "player";
  const play = document.createElement("button");
  play.type = "button";
  play.textContent = "Play";
  play.addEventListener("click", function () {
    if (timer) stop();
    else start();
  });
  const slider = document.createElement("input");
  slider.type = "range";
  slider.min = "1";
  slider.max = String(turns.length);
  slider.setAttribute("aria-label", "Turn");
  slider.addEventListener("input", function () {
    preview(Number(slider.value) - 1);
  });
  slider.addEventListener("change", function () {
    if (!timer) go(Number(slider.value) - 1);
  });
  const label = document.createElement("span");
  label.className = "at";
  bar.append(play, slider, label);
  steps.after(bar);
  preview(here);
  const current = document.querySelector("section.turns li:has([aria-current])");
  if (current) current.parentElement.scrollTop = current.offsetTop - current.parentElement.offsetTop - 40;

  document.addEventListener("keydown", function (event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target instanceof Element && event.target.closest("input, select, textarea, pre")) return;
    const target = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: turns.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    go(target);
  });
})();
