// Forms that write the mail. A game's own script says what a click means, as functions of a plan (a plain value); this
// one keeps the plans, draws the board to click on, and turns the plan's text into a mail to copy or to open.
//
// A game says boardForm.game("slug", {Kind: {begin(c), shown(c, plan), square(c, plan, name), control(c, plan, id, value)}}):
// `c` holds seat, name, address ("" where nobody has told it), ask, facts and boards; `shown` gives {lines, board, cells,
// joints, targets, chosen, controls, says, lacks}. Nothing chosen leaves the page: no address, no store, no request.
(function () {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  const games = {};

  // Where a game says nothing of an answer: its form as text, into which a click writes the name of a square.
  const plain = {
    begin: (c) => ({ text: c.ask.form }),
    shown(c, plan) {
      const board = c.boards[""];
      const asks = c.ask.form.split("\n").some((line) => /^(?!comment)[^:]+:\s*(\.\.\.)?\s*$/i.test(line));
      if (!asks) return { lines: plan.text.split("\n"), how: "" };
      const names = board ? board.rows.flatMap((row) => board.columns.map((column) => column + row)) : [];
      const targets = Object.fromEntries(names.map((name) => [name, { look: "pick", says: "writes its name into the text" }]));
      return { board: "", how: "Fill in the text; a click on the board writes a square's name into it.", lines: plan.text.split("\n"), targets };
    },
  };

  function element(name, facts, ...inside) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(facts || {})) {
      if (key === "text") node.textContent = value;
      else node.setAttribute(key, value);
    }
    node.append(...inside);
    return node;
  }

  function drawn(name, facts, parent) {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(facts)) node.setAttribute(key, String(value));
    if (parent) parent.append(node);
    return node;
  }

  // A comment as the games read it: every line behind its key.
  function commented(text) {
    return String(text || "").split("\n").map((line) => line.trim()).filter(Boolean).map((line) => "Comment: " + line);
  }

  const comment = (plan) => ({ id: "comment", kind: "text", label: "A word to all (may be left out)", value: plan.comment || "", long: true });

  // Conditional turns: by turns the move that is waited for and one's own answer, each clicked as the game's `Move`. Of a
  // move that was clicked `laid(c, plan)` gives the context after it, and in `gone` the squares that are empty then.
  function ahead(Move, laid) {
    const own = (plan) => plan.path.length % 2 === 1;
    const others = (c) => [...c.ask.form.matchAll(/^If Player (\d+)/gm)].map((found) => found[1]);
    const said = (path) => {
      const pairs = [];
      for (let i = 0; i + 1 < path.length; i += 2) pairs.push((path[i].whose ? "Player " + path[i].whose + ": " + path[i].move + ", then " : "anything else: ") + path[i + 1].move);
      return pairs.length ? ["If " + pairs.join(", if ")] : [];
    };
    // The board as it stands after the path, and what differs on it from the one that is shown.
    const stands = (c, plan) => {
      let cells = {};
      let joints = [];
      let at = c;
      for (const step of plan.path) {
        if (!step.whose) continue;
        const here = { ...at, seat: Number(step.whose) };
        const view = Move.shown(here, step.plan);
        const after = laid(here, step.plan);
        cells = { ...cells, ...view.cells, ...Object.fromEntries(after.gone.map((square) => [square, null])) };
        joints = [...joints, ...(view.joints || [])];
        at = after.c;
      }
      return { cells, joints, c: { ...at, seat: own(plan) ? c.seat : Number(plan.whose || c.seat) } };
    };
    const done = (c, plan) => {
      const now = stands(c, plan).c;
      const view = Move.shown(now, plan.step);
      if ((view.lacks || []).length) return plan;
      const move = view.lines[0].replace(/^Move: /, "");
      const step = { whose: String(now.seat), move, plan: plan.step };
      return { ...plan, path: [...plan.path, step], step: Move.begin(now) };
    };
    return {
      begin: (c) => ({ lines: [], path: [], whose: others(c)[0] || "", step: Move.begin(c) }),
      shown(c, plan) {
        const { cells, joints, c: now } = stands(c, plan);
        const view = Move.shown(now, plan.step);
        const lines = [...plan.lines, ...said(plan.path)];
        const passes = (view.controls || []).filter((control) => control.id === "pass");
        const whose = { id: "whose", kind: "pick", label: "Whose move you wait for", value: plan.whose, options: [...others(c).map((seat) => [seat, "Player " + seat]), ...(plan.path.length ? [] : [["", "anything else"]])] };
        const asks = own(plan) ? "Click what you play then. " : plan.path.length ? "You may go on: click the move that may follow. " : "Click the move that you wait for. ";
        return {
          board: "",
          how: asks + (view.how || ""),
          cells: { ...cells, ...view.cells },
          joints: [...joints, ...(view.joints || [])],
          targets: view.targets,
          chosen: view.chosen,
          lines: lines.length ? lines : c.ask.form.split("\n").slice(0, 1),
          controls: [...(own(plan) ? [] : [whose]), ...passes, { id: "another", kind: "button", label: "Another case, from the board as it stands", off: own(plan) || !plan.path.length }],
          says: [],
          lacks: own(plan) ? ["your answer"] : lines.length ? [] : ["a move to wait for"],
        };
      },
      square: (c, plan, square) => done(c, { ...plan, step: Move.square(stands(c, plan).c, plan.step, square) }),
      control(c, plan, id, value) {
        if (id === "another") return { ...plan, lines: [...plan.lines, ...said(plan.path)], path: [], step: Move.begin(c) };
        if (id === "whose") return value ? { ...plan, whose: value } : { ...plan, path: [{ whose: "", move: "" }], step: Move.begin(c), whose: others(c)[0] };
        return done(c, { ...plan, step: Move.control(stands(c, plan).c, plan.step, id, value) });
      },
    };
  }

  window.boardForm = {
    games,
    game(slug, kinds) {
      games[slug] = kinds;
    },
    ahead,
    comment,
    commented,
  };

  // --- the board -------------------------------------------------------------------------------------------------

  class Board {
    constructor(place, paints, chosen) {
      this.place = place;
      this.paints = paints;
      this.chosen = chosen;
      this.name = null;
      this.buttons = new Map();
    }

    // Show a board by its facts; the same board is only brought up to date.
    show(name, facts, view) {
      if (this.name !== name) this.build(name, facts);
      this.update(view);
    }

    build(name, facts) {
      this.name = name;
      this.facts = facts;
      this.place.textContent = "";
      this.buttons.clear();
      this.around = element("div", { class: "clickable " + facts.lattice });
      this.around.style.setProperty("--columns", String(facts.columns.length));
      const image = element("img", { src: facts.file, alt: facts.alt, width: String(facts.size[0]), height: String(facts.size[1]) });
      this.layer = drawn("svg", { viewBox: "0 0 " + facts.box.join(" "), "aria-hidden": "true" });
      this.points = element("div", { role: "group", "aria-label": "The board: arrow keys move, Enter chooses", class: "points" });
      const holes = new Set(facts.holes);
      facts.rows.forEach((row, y) => {
        facts.columns.forEach((column, x) => {
          const square = column + row;
          if (holes.has(square)) return;
          const button = element("button", { type: "button", "data-square": square, tabindex: "-1" });
          const [left, top] = [facts.first[0] + x * facts.pitch, facts.first[1] + y * facts.pitch];
          button.style.left = (100 * (left - facts.pitch / 2)) / facts.box[0] + "%";
          button.style.top = (100 * (top - facts.pitch / 2)) / facts.box[1] + "%";
          button.style.width = (100 * facts.pitch) / facts.box[0] + "%";
          button.style.height = (100 * facts.pitch) / facts.box[1] + "%";
          button.addEventListener("click", () => this.chosen(square));
          button.addEventListener("focus", () => this.rest(square));
          this.buttons.set(square, { button, x, y, middle: [left, top] });
          this.points.append(button);
        });
      });
      this.points.addEventListener("keydown", (event) => this.key(event));
      this.around.append(image, this.layer, this.points);
      this.place.append(this.around);
    }

    // The square to which the Tab key comes.
    rest(square) {
      for (const [name, { button }] of this.buttons) button.tabIndex = name === square ? 0 : -1;
    }

    key(event) {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
      const from = this.buttons.get(event.target.dataset.square);
      if (!from) return;
      event.preventDefault();
      let [x, y] = [from.x + step[0], from.y + step[1]];
      while (x >= 0 && y >= 0 && x < this.facts.columns.length && y < this.facts.rows.length) {
        const next = this.buttons.get(this.facts.columns[x] + this.facts.rows[y]);
        if (next) {
          next.button.focus();
          return;
        }
        x += step[0];
        y += step[1];
      }
    }

    update(view) {
      const cells = view.cells || {};
      const targets = view.targets || {};
      const chosen = new Set(view.chosen || []);
      const tokens = this.facts.tokens;
      let first = null;
      for (const [square, { button }] of this.buttons) {
        const token = square in cells ? cells[square] : tokens[square];
        const what = targets[square];
        const words = [square, token ? token.name : "empty"];
        if (chosen.has(square)) words.push("chosen");
        if (what) words.push(what.says);
        button.setAttribute("aria-label", words.join(", "));
        button.setAttribute("aria-disabled", what ? "false" : "true");
        button.className = what ? what.look : "";
        if (what && (first === null || chosen.has(first))) first = square;
      }
      if (![...this.buttons.values()].some(({ button }) => button.tabIndex === 0)) this.rest(first || this.buttons.keys().next().value);
      this.paint(cells, targets, chosen, view.joints || []);
    }

    paint(cells, targets, chosen, joints) {
      this.layer.textContent = "";
      const { pitch, reach, lattice } = this.facts;
      const middle = (square) => this.buttons.get(square).middle;
      for (const [square, token] of Object.entries(cells)) {
        const [x, y] = middle(square);
        if (lattice === "cells") drawn("rect", { x: x - reach + 0.5, y: y - reach + 0.5, width: 2 * reach - 1, height: 2 * reach - 1, fill: "#fff1a8", stroke: "#8a6d00", "stroke-width": 1 }, this.layer);
        else if (lattice === "islands") drawn("circle", { cx: x, cy: y, r: reach - 4, fill: "#fff1a8", stroke: "#8a6d00", "stroke-width": 2 }, this.layer);
        else if (!token) this.cross(x, y, reach);
      }
      for (const [one, two] of joints) {
        const [a, b] = [middle(one), middle(two)];
        drawn("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1], stroke: "#5b5b61", "stroke-width": reach * 0.8, "stroke-linecap": "round" }, this.layer);
      }
      for (const [square, token] of Object.entries(cells)) if (token) this.token(token, middle(square));
      for (const [square, what] of Object.entries(targets)) {
        if (!this.buttons.has(square)) continue;
        const [x, y] = middle(square);
        if (what.look === "go") drawn("circle", { cx: x, cy: y, r: pitch * 0.13, fill: "#c4006e", stroke: "#ffffff", "stroke-width": 1.5 }, this.layer);
        if (what.look === "take") drawn("circle", { cx: x, cy: y, r: pitch * 0.44, fill: "none", stroke: "#c4006e", "stroke-width": 3, "stroke-dasharray": "6 4" }, this.layer);
      }
      for (const square of chosen) {
        const [x, y] = middle(square);
        drawn("rect", { x: x - reach + 2, y: y - reach + 2, width: 2 * reach - 4, height: 2 * reach - 4, rx: 3, fill: "none", stroke: "#c4006e", "stroke-width": 3.5 }, this.layer);
      }
    }

    cross(x, y, reach) {
      for (const side of [1, -1]) drawn("line", { x1: x - reach * 0.6, y1: y - side * reach * 0.6, x2: x + reach * 0.6, y2: y + side * reach * 0.6, stroke: "#ffffff", "stroke-width": 7, "stroke-linecap": "round" }, this.layer);
      for (const side of [1, -1]) drawn("line", { x1: x - reach * 0.6, y1: y - side * reach * 0.6, x2: x + reach * 0.6, y2: y + side * reach * 0.6, stroke: "#a30000", "stroke-width": 4, "stroke-linecap": "round" }, this.layer);
    }

    // A piece in the look of the pictures: its owner's shape and colours, its symbol.
    token(token, [x, y]) {
      const [fill, ink, edge] = this.paints[token.colour] || this.paints.none;
      const r = { cells: 15.6, points: 18.2, islands: 22 }[this.facts.lattice];
      const look = { fill, stroke: edge, "stroke-width": 1.6 };
      const around = (count, turn, size) => Array.from({ length: count }, (_, i) => {
        const angle = turn + (2 * Math.PI * i) / count;
        return (x + size * r * Math.cos(angle)).toFixed(2) + "," + (y + size * r * Math.sin(angle)).toFixed(2);
      }).join(" ");
      if (token.shape === "square") drawn("rect", { x: x - r * 0.9, y: y - r * 0.9, width: 1.8 * r, height: 1.8 * r, rx: 2.5, ...look }, this.layer);
      else if (token.shape === "diamond") drawn("polygon", { points: around(4, 0, 1.18), ...look }, this.layer);
      else if (token.shape === "hexagon") drawn("polygon", { points: around(6, 0, 1.1), ...look }, this.layer);
      else if (token.shape === "star") drawn("polygon", { points: star(x, y, r * 1.16), ...look }, this.layer);
      else if (token.shape !== "none") drawn("circle", { cx: x, cy: y, r, ...look }, this.layer);
      if (token.ringed) drawn("circle", { cx: x, cy: y, r: r * 0.82, fill: "none", stroke: ink, "stroke-width": 1.4 }, this.layer);
      const size = r * ({ 1: 1.2, 2: 1.02, 3: 0.78 }[token.text.length] || 0.66);
      this.word(token.text, token.owner ? [x - r * 0.08, y - r * 0.08] : [x, y], size, ink);
      if (!token.owner) return;
      const corner = [x + r * 0.78, y + r * 0.76];
      drawn("circle", { cx: corner[0], cy: corner[1], r: r * 0.46, fill: "#ffffff", stroke: edge, "stroke-width": 1.4 }, this.layer);
      this.word(token.owner, corner, r * 0.76, "#1d1d1f");
    }

    word(words, [x, y], size, fill) {
      drawn("text", { x, y, "font-size": size, fill, "text-anchor": "middle", dy: "0.35em", "font-weight": "bold" }, this.layer).textContent = words;
    }
  }

  // Eight points, as what is nobody's is drawn.
  function star(x, y, r) {
    return Array.from({ length: 16 }, (_, i) => {
      const [angle, reach] = [(Math.PI * i) / 8, i % 2 ? r * 0.74 : r];
      return (x + reach * Math.sin(angle)).toFixed(2) + "," + (y - reach * Math.cos(angle)).toFixed(2);
    }).join(" ");
  }

  // --- the choices beside it -------------------------------------------------------------------------------------

  let counted = 0;

  const makers = {
    button(control, told) {
      const button = element("button", { type: "button", "data-control": control.id });
      button.addEventListener("click", () => told(control.id, true));
      return {
        node: button,
        update(now) {
          button.textContent = now.label;
          button.disabled = Boolean(now.off);
        },
      };
    },
    check(control, told) {
      const box = element("input", { type: "checkbox", "data-control": control.id, autocomplete: "off" });
      const label = element("label", { class: "tick" }, box, element("span"));
      box.addEventListener("change", () => told(control.id, box.checked));
      return {
        node: label,
        update(now) {
          box.checked = Boolean(now.value);
          box.disabled = Boolean(now.off);
          label.lastChild.textContent = now.label;
        },
      };
    },
    choice(control, told) {
      const group = "choice-" + ++counted;
      const legend = element("legend");
      const set = element("fieldset", { "data-control": control.id }, legend);
      return {
        node: set,
        update(now) {
          legend.textContent = now.label;
          const rows = [...set.querySelectorAll("label")];
          if (rows.map((row) => row.dataset.value).join("\n") !== now.options.map((option) => String(option[0])).join("\n")) {
            rows.forEach((row) => row.remove());
            for (const [value] of now.options) {
              const radio = element("input", { type: "radio", name: group, value: String(value), autocomplete: "off" });
              radio.addEventListener("change", () => told(control.id, value));
              set.append(element("label", { class: "tick", "data-value": String(value) }, radio, element("span")));
            }
          }
          [...set.querySelectorAll("label")].forEach((row, i) => {
            row.lastChild.textContent = now.options[i][1];
            row.firstChild.checked = now.options[i][0] === now.value;
            row.firstChild.disabled = Boolean(now.options[i][2]);
          });
        },
      };
    },
    pick(control, told) {
      const id = "pick-" + ++counted;
      const label = element("label", { for: id });
      const select = element("select", { id, "data-control": control.id, autocomplete: "off" });
      select.addEventListener("change", () => told(control.id, select.value));
      return {
        node: element("p", {}, label, " ", select),
        update(now) {
          label.textContent = now.label;
          const is = [...select.options].map((option) => option.value + "\t" + option.textContent).join("\n");
          if (is !== now.options.map((option) => option[0] + "\t" + option[1]).join("\n")) {
            select.textContent = "";
            for (const [value, words] of now.options) select.append(element("option", { value: String(value), text: words }));
          }
          select.value = String(now.value);
        },
      };
    },
    text(control, told) {
      const id = "text-" + ++counted;
      const label = element("label", { for: id });
      const input = element(control.long ? "textarea" : "input", { id, "data-control": control.id, autocomplete: "off", spellcheck: "false" });
      if (control.long) input.rows = 2;
      else input.type = "text";
      input.addEventListener("input", () => told(control.id, input.value, true));
      return {
        node: element("p", { class: "typed" }, label, " ", input),
        update(now) {
          label.textContent = now.label;
          if (input.value !== now.value) input.value = now.value;
        },
      };
    },
    count(control, told) {
      const id = "count-" + ++counted;
      const label = element("label", { for: id });
      const input = element("input", { id, type: "number", min: "0", "data-control": control.id, autocomplete: "off", inputmode: "numeric" });
      const less = element("button", { type: "button", class: "step", text: "−" });
      const more = element("button", { type: "button", class: "step", text: "+" });
      const set = (value) => told(control.id, Math.max(0, Math.min(Number(input.max), Math.floor(Number(value)) || 0)));
      less.addEventListener("click", () => set(Number(input.value) - 1));
      more.addEventListener("click", () => set(Number(input.value) + 1));
      input.addEventListener("change", () => set(input.value));
      return {
        node: element("div", { class: "count" }, label, element("span", { class: "steps" }, less, input, more)),
        update(now) {
          label.textContent = now.label;
          input.max = String(now.max);
          input.value = String(now.value);
          less.setAttribute("aria-label", "One less: " + now.name);
          more.setAttribute("aria-label", "One more: " + now.name);
          less.disabled = now.value <= 0;
          more.disabled = now.value >= now.max;
        },
      };
    },
    words(control) {
      const heading = element("p", { class: "head", "data-control": control.id });
      return {
        node: heading,
        update(now) {
          heading.textContent = now.label;
        },
      };
    },
  };

  class Controls {
    constructor(place, told) {
      this.place = place;
      this.told = told;
      this.known = new Map();
    }

    show(controls) {
      const before = this.known;
      this.known = new Map();
      const nodes = controls.map((control) => {
        const key = control.kind + " " + control.id;
        const made = before.get(key) || makers[control.kind](control, this.told);
        this.known.set(key, made);
        made.update(control);
        return made.node;
      });
      // Only what has changed its place is moved: what is being typed in keeps the focus.
      [...this.place.childNodes].forEach((node) => {
        if (!nodes.includes(node)) node.remove();
      });
      nodes.forEach((node, i) => {
        if (this.place.childNodes[i] !== node) this.place.insertBefore(node, this.place.childNodes[i] || null);
      });
    }
  }

  // --- the page --------------------------------------------------------------------------------------------------

  function address(to) {
    const at = to.lastIndexOf("@");
    return encodeURIComponent(to.slice(0, at)).replace(/%2B/g, "+") + "@" + encodeURIComponent(to.slice(at + 1));
  }

  // Who came here by the link of his letter: it says so behind the "#", which no browser sends anywhere.
  function reader() {
    const told = new URLSearchParams(location.hash.slice(1));
    const address = told.get("address") || "";
    return { seat: Number(told.get("player")), address: /^[^\s<>,;:]+@[^\s<>,;:]+$/.test(address) ? address : "" };
  }

  function start() {
    const source = document.getElementById("facts");
    const root = document.getElementById("form");
    if (!source || !root) return;
    const data = JSON.parse(source.textContent);
    const known = reader();
    const part = (id) => document.getElementById(id);
    const [seats, asks, body, says, send, copied] = ["seat", "ask", "body", "says", "send", "copied"].map(part);
    const ground = root.querySelector(".ground");
    const own = games[data.game] || {};
    let writer = plain;
    let c = null;
    let plans = [];
    let typed = null; // the text as changed by hand, until the next choice
    let caret = -1; // in the text, where it is written by hand
    let last = ""; // of a text field: typing on in it is one step back
    const board = new Board(ground, data.paints, (square) => {
      if (writer === plain) {
        insert(square);
        return;
      }
      const view = writer.shown(c, plans[plans.length - 1]);
      if (view.targets && view.targets[square]) change(writer.square(c, plans[plans.length - 1], square), "");
    });
    const controls = new Controls(root.querySelector(".choices"), (id, value, typing) => {
      change(writer.control(c, plans[plans.length - 1], id, value), typing ? id : "");
    });

    function change(plan, typing) {
      if (!plan) return;
      if (typing && typing === last) plans[plans.length - 1] = plan;
      else plans.push(plan);
      last = typing;
      typed = null;
      show();
    }

    function show() {
      const view = writer.shown(c, plans[plans.length - 1]);
      const facts = view.board === undefined || view.board === null ? null : data.boards[view.board];
      root.querySelector(".plan").hidden = !facts;
      root.classList.toggle("bare", !facts);
      if (facts) board.show(view.board, facts, view);
      part("how").textContent = view.how || "";
      controls.show(view.controls || []);
      const words = [...(view.says || []), ...(view.lacks || []).map((lack) => "Still to do: " + lack)];
      if (says.dataset.words !== words.join("\n")) {
        says.dataset.words = words.join("\n");
        says.textContent = "";
        if (words.length) says.append(element("ul", {}, ...words.map((text) => element("li", { text }))));
      }
      const text = typed === null ? view.lines.join("\n") : typed;
      if (body.value !== text) body.value = text;
      body.rows = Math.min(30, Math.max(4, text.split("\n").length + 1));
      part("to").textContent = data.to;
      part("subject").textContent = subject();
      part("back").disabled = plans.length < 2;
      part("anew").disabled = plans.length < 2 && typed === null;
      const whole = typed !== null || !(view.lacks || []).length;
      root.dataset.whole = whole ? "yes" : "no";
      send.classList.toggle("waits", !whole);
      send.href = "mailto:" + address(data.to) + "?subject=" + encodeURIComponent(subject()) + "&body=" + encodeURIComponent(text.replace(/\r?\n/g, "\r\n"));
      copied.textContent = "";
    }

    // Where the text is being written, else behind the first key that has nothing yet, else at the end.
    function insert(square) {
      const text = body.value;
      const blank = /^[^\n:]+:[ \t]*$/m.exec(text.replace(/\.\.\./g, "   "));
      const at = caret >= 0 ? Math.min(caret, text.length) : blank ? blank.index + blank[0].trimEnd().length : text.length;
      const rest = text.slice(at).replace(/^ *\.\.\./, "");
      const before = text.slice(0, at) + (/[\s-]$/.test(text.slice(0, at)) || !at ? "" : " ") + square;
      change({ text: before + rest }, "");
      caret = before.length;
    }

    // A question mark asks for the verdict alone.
    function subject() {
      return c.ask.subject + (part("only").checked ? " ?" : "");
    }

    function begin() {
      const sender = data.senders[Number(seats.value)];
      const ask = sender.asks[Number(asks.value)];
      c = { seat: sender.seat, name: sender.name, address: sender.seat === known.seat ? known.address : "", ask, facts: data.facts, boards: data.boards, match: data.match };
      writer = own[ask.kind] || plain;
      if (writer.square && !data.boards[""]) writer = plain; // a board that nobody but its player may see
      plans = [writer.begin(c)];
      typed = null;
      caret = -1;
      last = "";
      board.name = null;
      controls.show([]);
      show();
    }

    function list() {
      asks.textContent = "";
      data.senders[Number(seats.value)].asks.forEach((ask, i) => {
        const what = ask.words + (ask.about ? " " + ask.about : "") + (ask.owed ? " (owed now)" : "");
        asks.append(element("option", { value: String(i), text: what }));
      });
    }

    data.senders.forEach((sender, i) => {
      const owes = sender.asks.some((ask) => ask.owed) ? ", to answer" : "";
      seats.append(element("option", { value: String(i), text: sender.name.slice(0, 80) + " (Player " + sender.seat + ")" + owes }));
    });
    const his = data.senders.findIndex((sender) => sender.seat === known.seat);
    seats.value = String(his >= 0 ? his : Math.max(0, data.senders.findIndex((sender) => sender.asks.some((ask) => ask.owed))));
    seats.addEventListener("change", () => {
      list();
      begin();
    });
    asks.addEventListener("change", begin);
    body.addEventListener("input", () => {
      typed = body.value;
      show();
    });
    body.addEventListener("blur", () => {
      caret = body.selectionStart;
    });
    part("back").addEventListener("click", () => {
      if (plans.length < 2) return;
      plans.pop();
      last = "";
      typed = null;
      show();
      if (part("back").disabled) body.focus();
    });
    part("anew").addEventListener("click", begin);
    part("only").addEventListener("change", show);
    copying("copy", () => body.value, "The text is copied.", body);
    copying("copy-subject", subject, "The subject is copied.", null);
    copying("copy-to", () => data.to, "The address is copied.", null);

    function copying(id, text, done, field) {
      part(id).addEventListener("click", () => {
        const failed = () => {
          if (field) field.select();
          copied.textContent = "Your browser does not let this page copy: select it and copy it by hand.";
        };
        if (!navigator.clipboard) failed();
        else navigator.clipboard.writeText(text()).then(() => (copied.textContent = done), failed);
      });
    }

    window.addEventListener("hashchange", () => location.reload()); // another letter's link, in the same window
    list();
    begin();
    part("forms").hidden = true;
    root.hidden = false;
  }

  document.addEventListener("DOMContentLoaded", start);
})();
