// Nine Men's Morris on the page that writes mails. Facts come from games/morris/views.py; the rules M2 to M5 stand here.
(function () {
  "use strict";
  const { ahead, comment, commented } = window.boardForm;

  const sign = (c, seat) => c.facts.looks[seat].text;
  const points = (c) => [...new Set(c.facts.lines.flat())];
  const at = (c, point) => (c.boards[""].tokens[point] || { text: "" }).text;
  const men = (c, seat) => points(c).filter((point) => at(c, point) === sign(c, seat));
  const mill = (c, line, seat) => line.every((point) => at(c, point) === sign(c, seat));
  const other = (c) => 3 - c.seat;

  // Where a man may go to from a point, or be placed ("").
  function ends(c, from) {
    const anywhere = !from || (c.facts.flying && men(c, c.seat).length === 3);
    const beside = (line) => [line[line.indexOf(from) - 1], line[line.indexOf(from) + 1]];
    const near = anywhere ? points(c) : c.facts.lines.filter((line) => line.includes(from)).flatMap(beside);
    return near.filter((point) => point && !at(c, point));
  }

  // The board after a turn: what stands there, and who has how many men in the hand.
  function after(c, plan) {
    const tokens = { ...c.boards[""].tokens, [plan.to]: c.facts.looks[c.seat] };
    for (const gone of [plan.from, plan.taken]) if (gone) delete tokens[gone];
    const hands = { ...c.facts.hands, [c.seat]: c.facts.hands[c.seat] - (plan.from ? 0 : 1) };
    return { ...c, facts: { ...c.facts, hands }, boards: { ...c.boards, "": { ...c.boards[""], tokens } } };
  }

  const closes = (c, plan) => plan.to !== "" && c.facts.lines.some((line) => line.includes(plan.to) && mill(after(c, { ...plan, taken: "" }), line, c.seat));

  // The opponent's men that a mill may take: none that stands in a mill, unless all do.
  function takeable(c) {
    const theirs = men(c, other(c));
    const loose = theirs.filter((point) => !c.facts.lines.some((line) => line.includes(point) && mill(c, line, other(c))));
    return loose.length ? loose : theirs;
  }

  const Move = {
    begin: () => ({ from: "", to: "", taken: "", accept: false, offer: false, comment: "" }),
    shown(c, plan) {
      const hand = c.facts.hands[c.seat];
      const closed = closes(c, plan);
      const targets = {};
      if (!hand) for (const point of men(c, c.seat)) if (ends(c, point).length) targets[point] = { look: "pick", says: "moves this man" };
      if (hand || plan.from) for (const point of ends(c, plan.from)) if (point !== plan.to) targets[point] = { look: "go", says: hand ? "places a man here" : "moves here" };
      if (closed) for (const point of takeable(c)) targets[point] = { look: "take", says: "takes this man" };
      const cells = plan.to ? { [plan.to]: c.facts.looks[c.seat] } : {};
      if (plan.to && plan.from) cells[plan.from] = null;
      if (plan.taken) cells[plan.taken] = null;
      const turn = plan.to ? (plan.from ? plan.from + "-" : "") + plan.to + (plan.taken ? " x " + plan.taken : "") : "";
      const lines = [plan.accept ? "Accept: draw" : ("Move: " + turn).trim()];
      if (plan.offer && !plan.accept) lines.push("Offer: draw");
      const how = hand ? "Click an empty point: a man is placed there." : plan.from ? "Click where the man goes." : "Click a man of yours that moves.";
      return {
        board: "",
        how: closed ? "A mill: click the man that it takes." : how,
        targets: plan.accept ? {} : targets,
        cells,
        chosen: plan.to ? [plan.to] : plan.from ? [plan.from] : [],
        lines: [...lines, ...commented(plan.comment)],
        controls: [
          ...(c.facts.offer === other(c) ? [{ id: "accept", kind: "check", label: "Accept the draw that is offered", value: plan.accept }] : []),
          ...(plan.accept ? [] : [{ id: "offer", kind: "check", label: "Offer a draw with it", value: plan.offer }]),
          comment(plan),
        ],
        says: hand ? [hand + (hand === 1 ? " man is" : " men are") + " left in your hand."] : [],
        lacks: plan.accept ? [] : !plan.to ? [hand ? "place a man" : "move a man"] : closed && !plan.taken ? ["the man that your mill takes"] : [],
      };
    },
    square(c, plan, point) {
      if (closes(c, plan) && takeable(c).includes(point)) return { ...plan, taken: point };
      if (c.facts.hands[c.seat]) return { ...plan, to: at(c, point) || point === plan.to ? "" : point, taken: "" };
      if (plan.from && ends(c, plan.from).includes(point)) return { ...plan, to: point, taken: "" };
      return { ...plan, from: point === plan.from || at(c, point) !== sign(c, c.seat) ? "" : point, to: "", taken: "" };
    },
    control: (c, plan, id, value) => ({ ...plan, [id]: value }),
  };

  const If = ahead(Move, (c, plan) => ({ c: after(c, plan), gone: [plan.from, plan.taken].filter(Boolean) }));

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

  window.boardForm.game("morris", { Move, If, Offer: said("Offer: draw"), Resign: said("Resign"), Comment });
})();
