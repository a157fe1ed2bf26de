// Go on the page that writes mails: points, prisoners, dead stones, alliances. Facts come from games/multigo/views.py.
(function () {
  "use strict";
  const { ahead, comment, commented } = window.boardForm;

  const capital = (word) => word[0].toUpperCase() + word.slice(1);
  const nameOf = (c, seat) => capital(c.facts.colours[seat - 1]);
  const stones = (c) => c.boards[""].tokens;
  const points = (c) => c.boards[""].rows.flatMap((row) => c.boards[""].columns.map((column) => column + row));

  // A plan that a click on a point only adds to, and a control only replaces.
  const set = (c, plan, id, value) => ({ ...plan, [id]: value });

  const Move = {
    begin: () => ({ points: [], pass: false, comment: "" }),
    shown(c, plan) {
      const mine = c.facts.moves[c.seat] || { points: 1, barred: {} };
      const parallel = c.facts.order === "parallel";
      const targets = {};
      for (const point of points(c)) {
        if (plan.points.includes(point)) targets[point] = { look: "pick", says: "takes it back" };
        else if (!stones(c)[point] && !mine.barred[point]) targets[point] = { look: "pick", says: "plays here" };
      }
      const cells = Object.fromEntries(plan.points.map((point) => [point, c.facts.looks[c.seat - 1]]));
      const move = plan.points.length ? "Move: " + plan.points.join(" ") : plan.pass ? "Move: pass" : "Move:";
      const many = mine.points > 1 ? (parallel ? "Click up to " + mine.points + " points; a later one counts where an earlier one collides." : "You may place up to " + mine.points + " stones, in the order in which you click.") : "Click the point where you play.";
      return {
        board: "",
        how: many,
        cells,
        targets,
        chosen: plan.points,
        lines: [move, ...commented(plan.comment)],
        controls: [{ id: "pass", kind: "check", label: "Pass", value: plan.pass }, comment(plan)],
        says: Object.keys(mine.barred).length ? ["Not possible now: " + Object.entries(mine.barred).map(([point, why]) => point + " (" + why + ")").join(", ")] : [],
        lacks: plan.points.length || plan.pass ? [] : ["choose a point, or pass"],
      };
    },
    square(c, plan, point) {
      const most = (c.facts.moves[c.seat] || { points: 1 }).points;
      if (plan.points.includes(point)) return { ...plan, points: plan.points.filter((other) => other !== point) };
      return { ...plan, pass: false, points: [...(most === 1 ? [] : plan.points.slice(0, most - 1)), point] };
    },
    control: (c, plan, id, value) => (id === "pass" ? { ...plan, pass: value, points: [] } : set(c, plan, id, value)),
  };

  const Take = {
    begin: () => ({ counts: {}, comment: "" }),
    shown(c, plan) {
      const take = c.facts.take || { share: 0, pool: [] };
      const chosen = Object.values(plan.counts).reduce((sum, count) => sum + count, 0);
      const others = take.pool.reduce((sum, there, i) => sum + (i + 1 === c.seat ? 0 : there), 0);
      const own = Math.max(0, take.share - others);
      const said = take.pool.map((_, i) => [plan.counts[i + 1] || 0, c.facts.colours[i]]).filter(([count]) => count);
      const lacks = chosen === take.share ? [] : ["take " + take.share + " in all; now it is " + chosen];
      if ((plan.counts[c.seat] || 0) > own) lacks.push("stones of your own colour come only when nothing else is left");
      return {
        board: "",
        how: "",
        lines: ["Take: " + said.map(([count, colour]) => count + " " + colour).join(", "), ...commented(plan.comment)],
        controls: [
          ...take.pool.map((there, i) => ({ id: "take-" + (i + 1), kind: "count", name: c.facts.colours[i], label: capital(c.facts.colours[i]) + ": " + there + " there", value: plan.counts[i + 1] || 0, max: there })).filter((row) => row.max),
          comment(plan),
        ],
        says: ["You take " + chosen + " of your " + take.share + "."],
        lacks,
      };
    },
    control: (c, plan, id, value) => (id === "comment" ? set(c, plan, id, value) : { ...plan, counts: { ...plan.counts, [id.slice(5)]: value } }),
  };

  const Prefer = {
    begin: () => ({ colours: [] }),
    shown: (c, plan) => ({
      lines: ["Prefer: " + plan.colours.join(", ")],
      controls: [
        { id: "head", kind: "words", label: "Whose prisoners you would rather have, the dearest first" },
        ...c.facts.colours.map((colour) => ({ id: colour, kind: "button", label: colour, off: plan.colours.includes(colour) })),
      ],
      says: [],
      lacks: plan.colours.length ? [] : ["choose a colour"],
    }),
    control: (c, plan, id) => ({ colours: [...plan.colours, id] }),
  };

  // The points beside a point.
  function around(c, point) {
    const { columns, rows } = c.boards[""];
    const [x, y] = [columns.indexOf(point[0]), rows.indexOf(point.slice(1))];
    const beside = [[1, 0], [-1, 0], [0, 1], [0, -1]].map(([dx, dy]) => [columns[x + dx], rows[y + dy]]);
    return beside.filter(([column, row]) => column && row).map(([column, row]) => column + row);
  }

  function chain(c, point) {
    const colour = stones(c)[point].text;
    const found = new Set([point]);
    const open = [point];
    while (open.length) {
      for (const near of around(c, open.pop())) {
        if (!found.has(near) && stones(c)[near] && stones(c)[near].text === colour) {
          found.add(near);
          open.push(near);
        }
      }
    }
    return [...found];
  }

  const Dead = {
    begin: () => ({ points: [], none: false, comment: "" }),
    shown(c, plan) {
      const targets = {};
      for (const point of Object.keys(stones(c))) targets[point] = { look: "pick", says: "its chain is dead, or not" };
      const dead = plan.points.flatMap((point) => chain(c, point));
      return {
        board: "",
        how: "Click a stone of each dead chain.",
        cells: Object.fromEntries(dead.map((point) => [point, null])),
        targets,
        lines: ["Dead: " + (plan.points.join(", ") || (plan.none ? "none" : "")), ...commented(plan.comment)],
        controls: [{ id: "none", kind: "check", label: "No stone is dead", value: plan.none }, comment(plan)],
        says: plan.points.length ? [dead.length + (dead.length === 1 ? " stone is" : " stones are") + " dead."] : [],
        lacks: plan.points.length || plan.none ? [] : ["click dead stones, or say that there are none"],
      };
    },
    square(c, plan, point) {
      const mine = chain(c, point);
      const rest = plan.points.filter((other) => !mine.includes(other));
      return { ...plan, none: false, points: rest.length < plan.points.length ? rest : [...rest, point] };
    },
    control: (c, plan, id, value) => (id === "none" ? { ...plan, none: value, points: [] } : set(c, plan, id, value)),
  };

  const Ally = {
    begin: () => ({ partners: [], none: false, comment: "" }),
    shown(c, plan) {
      const others = c.facts.active.filter((seat) => seat !== c.seat);
      const lacks = plan.partners.length || plan.none ? [] : ["choose your partners, or none"];
      if (plan.partners.length + 1 > c.facts.max_alliance) lacks.push("an alliance has at most " + c.facts.max_alliance + " members, you among them");
      return {
        board: "",
        how: "",
        lines: ["Ally: " + (plan.partners.map((seat) => nameOf(c, seat)).join(", ") || (plan.none ? "none" : "")), ...commented(plan.comment)],
        controls: [
          { id: "head", kind: "words", label: "An alliance stands if all its members name exactly each other" },
          ...others.map((seat) => ({ id: "with-" + seat, kind: "check", label: "with " + nameOf(c, seat), value: plan.partners.includes(seat) })),
          { id: "none", kind: "check", label: "No alliance", value: plan.none },
          comment(plan),
        ],
        says: [],
        lacks,
      };
    },
    control(c, plan, id, value) {
      if (id === "none") return { ...plan, none: value, partners: [] };
      if (!id.startsWith("with-")) return set(c, plan, id, value);
      const seat = Number(id.slice(5));
      const rest = plan.partners.filter((other) => other !== seat);
      return { ...plan, none: false, partners: value ? [...rest, seat].sort() : rest };
    },
  };

  // Words alone, to all at once or through the referee.
  const spoken = (key) => ({
    begin: () => ({ comment: "" }),
    shown: (c, plan) => ({
      lines: plan.comment.trim() ? commented(plan.comment).map((line) => line.replace(/^Comment:/, key + ":")) : [key + ":"],
      controls: [{ id: "comment", kind: "text", label: "Your words", value: plan.comment, long: true }],
      lacks: plan.comment.trim() ? [] : ["write something"],
    }),
    control: set,
  });

  // The board after a stone: others that it leaves without a liberty are gone, then its own.
  function laid(c, plan) {
    let tokens = { ...stones(c) };
    const on = () => ({ ...c, boards: { ...c.boards, "": { ...c.boards[""], tokens } } });
    const gone = [];
    for (const point of plan.points) {
      tokens[point] = c.facts.looks[c.seat - 1];
      const enemies = around(c, point).filter((near) => tokens[near] && tokens[near].text !== tokens[point].text);
      for (const near of [...enemies, point]) {
        const group = tokens[near] ? chain(on(), near) : [];
        if (group.some((stone) => around(c, stone).some((free) => !tokens[free]))) continue;
        for (const stone of group) {
          tokens = { ...tokens };
          delete tokens[stone];
          gone.push(stone);
        }
      }
    }
    return { c: on(), gone };
  }

  const If = ahead(Move, laid);

  window.boardForm.game("multigo", { Move, Take, Prefer, If, Dead, Ally, Comment: spoken("Comment"), Press: spoken("Press") });
})();
