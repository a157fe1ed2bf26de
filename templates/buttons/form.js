// Buttons and bridges on the page that writes mails. Facts come from games/buttons/views.py.
(function () {
  "use strict";
  const { comment, commented } = window.boardForm;

  const tokens = (c) => c.boards[""].tokens;
  const spaces = (c) => c.boards[""].rows.flatMap((row) => c.boards[""].columns.map((column) => column + row)).filter((space) => !c.boards[""].holes.includes(space));

  // What stands where after the moves of a plan: space -> sign.
  function after(c, moves) {
    const board = Object.fromEntries(spaces(c).map((space) => [space, tokens(c)[space] ? tokens(c)[space].text : ""]));
    for (const [from, to] of moves) [board[from], board[to]] = [board[to], board[from]];
    return board;
  }

  function changed(c, board) {
    const cells = {};
    for (const space of spaces(c)) {
      const was = tokens(c)[space] ? tokens(c)[space].text : "";
      if (was !== board[space]) cells[space] = board[space] ? c.facts.looks[board[space]] : null;
    }
    return cells;
  }

  const reach = (c, sign, space) => ((c.facts.reach[sign] || {})[space] || []);
  const banned = (c, from, to) => c.facts.banned.includes(from) && c.facts.banned.includes(to);

  // --- two players: one turn --------------------------------------------------------------------------------------

  const Turn = {
    begin: () => ({ from: "", to: "", value: 0, space: "", accept: false, offer: false, comment: "" }),
    shown(c, plan) {
      const mine = c.facts.seats[c.seat];
      const targets = {};
      const ends = (space) => reach(c, tokens(c)[space].text, space).filter((to) => !banned(c, space, to));
      for (const [space, token] of Object.entries(tokens(c))) {
        if (token.text.startsWith(mine.side) && ends(space).length) targets[space] = { look: "pick", says: "moves this button" };
      }
      if (plan.from && !plan.to) for (const to of ends(plan.from)) targets[to] = { look: tokens(c)[to] ? "take" : "go", says: "moves here" };
      if (plan.value) for (const space of mine.places) targets[space] = { look: "go", says: "places it here" };
      const lines = [];
      if (plan.accept) lines.push("Accept: draw");
      else if (plan.to) lines.push("Move: " + plan.from + "-" + plan.to);
      else if (plan.space) lines.push("Place: " + plan.value + " " + plan.space);
      else lines.push("Move:");
      if (plan.offer && !plan.accept) lines.push("Offer: draw");
      const done = plan.to ? after(c, [[plan.from, plan.to]]) : { ...after(c, []) };
      if (plan.space) done[plan.space] = mine.side + plan.value;
      const supply = [...new Set(mine.supply)];
      return {
        board: "",
        how: plan.value ? "Click the space where the button goes." : plan.from && !plan.to ? "Click where it goes." : Turn.asks(c, mine, supply),
        targets: plan.accept ? {} : targets,
        cells: changed(c, done),
        chosen: plan.to ? [plan.to] : plan.space ? [plan.space] : plan.from ? [plan.from] : [],
        lines: [...lines, ...commented(plan.comment)],
        controls: [
          ...(supply.length && mine.places.length ? [{ id: "value", kind: "choice", label: "From your supply", value: plan.value || 0, options: [[0, "none: I move"], ...supply.map((value) => [value, String(value)])] }] : []),
          ...(mine.offered ? [{ id: "accept", kind: "check", label: "Accept the draw that is offered", value: plan.accept }] : []),
          ...(plan.accept ? [] : [{ id: "offer", kind: "check", label: "Offer a draw with it", value: plan.offer }]),
          comment(plan),
        ],
        says: [],
        lacks: plan.accept || plan.to || plan.space ? [] : ["move or place a button"],
      };
    },
    asks(c, mine, supply) {
      const takes = supply.length && mine.places.length;
      if (!Object.values(tokens(c)).some((token) => token.text.startsWith(mine.side))) return "Take a button from your supply.";
      return "Click a button of yours that moves" + (takes ? ", or take one from your supply." : ".");
    },
    square(c, plan, space) {
      if (plan.value) return { ...plan, space, from: "", to: "" };
      if (plan.from && !plan.to && reach(c, tokens(c)[plan.from].text, plan.from).includes(space) && !banned(c, plan.from, space)) return { ...plan, to: space };
      return { ...plan, from: plan.from === space ? "" : space, to: "", space: "" };
    },
    control(c, plan, id, value) {
      if (id === "value") return { ...plan, value, space: "", from: "", to: "" };
      return { ...plan, [id]: value };
    },
  };

  // --- solo: as many moves as one likes -----------------------------------------------------------------------------

  const Solo = {
    begin: () => ({ steps: [], from: "", goal: "", over: false, comment: "" }),
    shown(c, plan) {
      const { board } = Solo.played(c, plan);
      const targets = {};
      for (const space of spaces(c)) if (reach(c, board[space], space).length) targets[space] = { look: "pick", says: "moves this button" };
      if (plan.from) for (const to of reach(c, board[plan.from], plan.from)) targets[to] = { look: "go", says: "moves here" };
      const lines = plan.steps.map((step) => (step === "undo" ? "Undo" : "Move: " + step[0] + "-" + step[1]));
      if (plan.over) lines.push("Give up");
      const goal = c.facts.goal || plan.goal;
      const lacks = lines.length || plan.goal ? [] : ["move a button"];
      return {
        board: "",
        how: plan.from ? "Click where it goes." : "Click a button, then the space it goes to; as many moves as you like.",
        targets: plan.over ? {} : targets,
        cells: changed(c, board),
        chosen: plan.from ? [plan.from] : [],
        lines: [...(lines.length ? lines : ["Move:"]), ...(plan.goal ? ["Goal: " + plan.goal] : []), ...commented(plan.comment)],
        controls: [
          ...(c.facts.goal ? [] : [{ id: "goal", kind: "choice", label: "The goal", value: plan.goal, options: [["", "not now"], ["two", "two lines"], ["four", "four lines"]] }]),
          ...(c.facts.undo ? [{ id: "undo", kind: "button", label: "Take a move back (Undo)", off: !Solo.played(c, plan).trail.length || plan.over }] : []),
          { id: "over", kind: "check", label: "Give up", value: plan.over },
          comment(plan),
        ],
        says: goal ? ["The goal is " + goal + " lines."] : [],
        lacks,
      };
    },
    // The board after the steps, and the moves that could be taken back.
    played(c, plan) {
      const trail = c.facts.trail.map((move) => [...move]);
      const made = [];
      for (const step of plan.steps) {
        if (step === "undo") made.push(trail.pop());
        else {
          trail.push(step);
          made.push(step);
        }
      }
      return { board: after(c, made), trail };
    },
    square(c, plan, space) {
      const { board } = Solo.played(c, plan);
      if (plan.from && reach(c, board[plan.from], plan.from).includes(space)) return { ...plan, steps: [...plan.steps, [plan.from, space]], from: "" };
      return { ...plan, from: plan.from === space ? "" : space };
    },
    control(c, plan, id, value) {
      if (id === "undo") return { ...plan, steps: [...plan.steps, "undo"], from: "" };
      return { ...plan, [id]: value, from: "" };
    },
  };

  const of = (c) => (c.facts.solo ? Solo : Turn);
  const Move = {
    begin: (c) => of(c).begin(c),
    shown: (c, plan) => of(c).shown(c, plan),
    square: (c, plan, space) => of(c).square(c, plan, space),
    control: (c, plan, id, value) => of(c).control(c, plan, id, value),
  };

  // A line that stands in the form already, and a word beside it.
  const said = (line) => ({
    begin: () => ({ comment: "" }),
    shown: (c, plan) => ({ board: "", how: "", lines: [line, ...commented(plan.comment)], controls: [comment(plan)] }),
    control: (c, plan, id, value) => ({ ...plan, [id]: value }),
  });
  const Comment = {
    begin: () => ({ comment: "" }),
    shown: (c, plan) => ({ lines: plan.comment.trim() ? commented(plan.comment) : ["Comment:"], controls: [{ ...comment(plan), label: "Your words" }], lacks: plan.comment.trim() ? [] : ["write something"] }),
    control: (c, plan, id, value) => ({ ...plan, [id]: value }),
  };

  window.boardForm.game("buttons", { Move, Offer: said("Offer: draw"), Resign: said("Resign"), Comment });
})();
