// Fourplay on the page that writes mails: an army with its sums, a setup by placing, a turn with its statements. Facts come
// from games/fourplay/letters/clicks.py; the moves are made from the catalogue's own primitives, as the referee makes them.
(function () {
  "use strict";
  const { comment, commented } = window.boardForm;

  // --- the board (800) --------------------------------------------------------------------------------------------

  const SIDE = 15;
  const CENTRE = 7 * SIDE + 7;
  const squares = Array.from({ length: SIDE * SIDE }, (_, square) => square);
  const nameOf = (square) => String.fromCharCode(97 + (square % SIDE)) + (Math.floor(square / SIDE) + 1);
  const numberOf = (name) => name.charCodeAt(0) - 97 + (Number(name.slice(1)) - 1) * SIDE;
  const ORTH = [[1, 0], [0, 1], [-1, 0], [0, -1]];
  const DIAG = [[1, 1], [-1, 1], [-1, -1], [1, -1]];
  const DIRECTIONS = { orth: ORTH, diag: DIAG, all8: [...ORTH, ...DIAG] };
  const TURNS = [[1, 0, 0, 1], [0, -1, 1, 0], [-1, 0, 0, -1], [0, 1, -1, 0], [1, 0, 0, -1], [0, 1, 1, 0], [-1, 0, 0, 1], [0, -1, -1, 0]];

  function quadrant(square) {
    const [column, row] = [square % SIDE, Math.floor(square / SIDE)];
    if (column === 7 || row === 7) return 0;
    return row > 7 ? (column > 7 ? 1 : 2) : column > 7 ? 4 : 3;
  }

  function stepped(square, [right, up]) {
    const [column, row] = [(square % SIDE) + right, Math.floor(square / SIDE) + up];
    return column >= 0 && column < SIDE && row >= 0 && row < SIDE ? row * SIDE + column : -1;
  }

  function ray(square, step, most) {
    const found = [];
    for (let here = stepped(square, step); here >= 0 && found.length < most; here = stepped(here, step)) found.push(here);
    return found;
  }

  // The vectors turned and mirrored together, each result once.
  function images(...vectors) {
    const known = new Set();
    const found = [];
    for (const [a, b, c, d] of TURNS) {
      const turned = vectors.map(([x, y]) => [a * x + b * y, c * x + d * y]);
      if (!known.has(String(turned))) {
        known.add(String(turned));
        found.push(turned);
      }
    }
    return found;
  }

  // --- a position --------------------------------------------------------------------------------------------------

  const types = new Map();

  class Position {
    constructor(c) {
      this.facts = c.facts;
      if (!types.size) for (const type of c.facts.types) types.set(type.name, type);
      this.cells = new Array(SIDE * SIDE).fill(null);
      this.off = [];
      for (const [id, type, owner, square, mascot] of c.facts.pieces) {
        const piece = { id, type: types.get(type), owner, mascot };
        if (square) this.cells[numberOf(square)] = piece;
        else this.off.push(piece);
      }
      this.lent = new Map();
    }

    copy() {
      const other = Object.create(Position.prototype);
      Object.assign(other, this, { cells: [...this.cells], off: [...this.off] });
      return other;
    }

    men(owner) {
      return squares.filter((square) => this.cells[square] && this.cells[square].owner === owner);
    }

    king(owner) {
      return squares.findIndex((square) => this.cells[square] && this.cells[square].owner === owner && this.cells[square].type.name === "King");
    }

    get neutron() {
      return this.cells.findIndex((piece) => piece && piece.type.name === "Neutron");
    }

    get kings() {
      return [1, 2, 3, 4].filter((seat) => this.king(seat) >= 0);
    }

    owned(owner) {
      const counts = {};
      for (const piece of [...this.cells, ...this.off]) if (piece && piece.owner === owner) counts[piece.type.name] = (counts[piece.type.name] || 0) + 1;
      return counts;
    }

    mayGain(owner, type) {
      const limit = limitOf(type, this.owned(owner));
      return limit === null || this.men(owner).filter((square) => this.cells[square].type === type).length < limit;
    }

    // Whether a piece that becomes its victim keeps the limits that it must keep (961).
    mayBecome(owner, type, victim) {
      const [own, here] = [this.owned(owner), {}];
      for (const square of this.men(owner)) here[this.cells[square].type.name] = (here[this.cells[square].type.name] || 0) + 1;
      for (const counts of type.veto ? [here, own] : [here]) {
        counts[victim.name] = (counts[victim.name] || 0) + 1;
        counts[type.name] -= 1;
      }
      const kept = (one) => limitOf(one, own) === null || (here[one.name] || 0) <= limitOf(one, own);
      return type.veto ? [...types.values()].every(kept) : kept(victim);
    }

    takes(owner, type, square) {
      const piece = this.cells[square];
      if (!piece || !piece.owner || piece.type.immune || piece.owner === owner || type.harmless) return false;
      return !type.becomes || this.mayBecome(owner, type, piece.type);
    }

    // What PrimeMovers that stand now lend to the owner's pieces: square -> grants.
    grants(owner) {
      const found = new Map();
      for (const square of this.men(owner)) {
        const grant = this.cells[square].type.moves.find((move) => move.by === "grant");
        for (const step of grant ? DIRECTIONS.all8 : []) {
          const near = stepped(square, step);
          if (near >= 0 && this.cells[near] && this.cells[near].owner === owner) {
            const known = found.get(near) || [];
            if (!known.some((other) => String([other.dirs, other.distances, other.blocked]) === String([grant.dirs, grant.distances, grant.blocked]))) found.set(near, [...known, grant]);
          }
        }
      }
      return found;
    }

    fixGrants(owner) {
      this.lent = new Map([...this.grants(owner)].map(([square, lent]) => [this.cells[square].id, lent]));
    }

    moves(square, lent) {
      const { owner, type } = this.cells[square];
      const found = [...this.own(square, owner, type), ...this.borrowed(square, owner, type, lent || this.lent.get(this.cells[square].id) || [])];
      const seen = new Set();
      return found.filter((move) => {
        const key = [move.to, move.via.join("."), move.captures.join("."), move.granted].join("/");
        if (seen.has(key) || (type.bound && move.to !== square && quadrant(move.to) !== owner)) return false;
        seen.add(key);
        return true;
      });
    }

    own(square, owner, type) {
      const found = [];
      const withdrawn = new Set();
      const add = (to, via, captures) => found.push({ from: square, to, via, captures, granted: false });
      for (const move of type.moves.filter((one) => one.by === "withdraw")) {
        for (const [x, y] of DIRECTIONS[move.dirs]) {
          const victim = stepped(square, [-x, -y]);
          if (victim < 0 || !this.takes(owner, type, victim)) continue;
          const away = ray(square, [x, y], move.most);
          for (let i = 0; i < away.length && !this.cells[away[i]]; i += 1) {
            withdrawn.add(away[i]);
            add(away[i], away.slice(0, i), [victim]);
          }
        }
      }
      for (const move of type.moves) {
        const [quiet, strikes] = [move.mode !== "capture", move.mode !== "quiet"];
        const land = (to, via) => {
          if (!this.cells[to]) {
            if (quiet && !withdrawn.has(to)) add(to, via, []);
          } else if (strikes && this.takes(owner, type, to)) add(to, via, [to]);
        };
        if (move.by === "leap") {
          for (const vector of move.vectors) for (const [step] of images(vector)) {
            const to = stepped(square, step);
            if (to >= 0) land(to, []);
          }
        } else if (move.by === "hop") {
          for (const step of DIRECTIONS[move.dirs]) {
            const path = ray(square, step, SIDE);
            let passed = 0;
            for (let i = 0; i < path.length && passed <= move.screens; i += 1) {
              if (this.cells[path[i]]) {
                if (passed === move.screens && strikes && this.takes(owner, type, path[i])) add(path[i], path.slice(0, i), [path[i]]);
                passed += 1;
              } else if (quiet && passed === move.screens) add(path[i], path.slice(0, i), []);
            }
          }
        } else if (move.by === "rifle") {
          for (const step of DIRECTIONS[move.dirs]) {
            const target = ray(square, step, move.most).find((there) => this.cells[there]);
            if (target !== undefined && this.takes(owner, type, target)) add(square, [], [target]);
          }
        } else if (move.by === "legs") {
          this.chains(square, owner, type, move).forEach(([path, captures]) => add(path[path.length - 1], path.slice(0, -1), captures));
        } else if (move.by !== "withdraw" && move.by !== "grant") {
          for (const [path, least] of paths(square, move)) {
            for (let i = 0; i < path.length; i += 1) {
              if (i >= least - 1) land(path[i], path.slice(0, i));
              if (this.cells[path[i]]) break;
            }
          }
        }
      }
      return found;
    }

    // Leaps in a row, each landing taking what stands there; the start counts as empty (920).
    chains(square, owner, type, move) {
      let found = [[[], []]];
      const ended = [];
      move.legs.forEach((vectors, number) => {
        const next = [];
        for (const [path, captures] of found) {
          const here = path.length ? path[path.length - 1] : square;
          for (const vector of vectors) for (const [step] of images(vector)) {
            const to = stepped(here, step);
            if (to < 0) continue;
            const empty = !this.cells[to] || to === square || captures.includes(to);
            if (!empty && !this.takes(owner, type, to)) continue;
            next.push([[...path, to], empty ? captures : [...captures, to]]);
          }
        }
        found = next;
        if (number + 1 >= move.least) ended.push(...found);
      });
      return ended;
    }

    borrowed(square, owner, type, lent) {
      const found = [];
      for (const grant of lent) for (const step of DIRECTIONS[grant.dirs]) {
        const line = ray(square, step, SIDE);
        for (const distance of grant.distances) {
          if (distance > line.length || grant.blocked.some((at) => at < distance && this.cells[line[at - 1]])) break;
          const to = line[distance - 1];
          const via = line.slice(0, distance - 1);
          if (!this.cells[to]) found.push({ from: square, to, via, captures: [], granted: true });
          else if (this.takes(owner, type, to)) found.push({ from: square, to, via, captures: [to], granted: true });
        }
      }
      return found;
    }

    // Whether some piece of the owner could take what stands on the target (rulings 1 and 2).
    attacks(owner, target) {
      const lent = this.grants(owner);
      return this.men(owner).some((square) => this.moves(square, lent.get(square) || []).some((move) => move.captures.includes(target)));
    }

    attacked(owner) {
      return this.kings.filter((seat) => seat !== owner && this.attacks(owner, this.king(seat)));
    }

    checkers(player) {
      const king = this.king(player);
      return king < 0 ? [] : this.kings.filter((seat) => seat !== player && this.attacks(seat, king));
    }

    play(move) {
      const piece = this.cells[move.from];
      const taken = move.captures.map((square) => ({ ...this.cells[square], square }));
      for (const square of move.captures) this.cells[square] = null;
      this.cells[move.from] = null;
      const becomes = taken.length && piece.type.becomes;
      this.cells[move.to] = becomes ? { ...piece, type: taken[taken.length - 1].type } : piece;
      return taken;
    }

    // Every way the Neutron can go (905).
    runs() {
      const from = this.neutron;
      if (from < 0) return [];
      return DIRECTIONS.all8.map((step) => {
        let to = -1;
        for (const square of ray(from, step, SIDE)) {
          if (this.cells[square]) break;
          to = square;
        }
        return { from, to };
      }).filter((run) => run.to >= 0);
    }
  }

  // The ways of a slider: squares, and the first of them on which it may end.
  function paths(square, move) {
    if (move.by === "zigzag") return images(move.step_a, move.step_b).map(([first, second]) => [zigzag(square, first, second, move.most), 1]);
    if (move.by === "bent") return bent(square, move);
    if (move.to_end) return [];
    if (move.bend_on === "border") return bending(square, move);
    return DIRECTIONS[move.dirs].map((step) => [ray(square, step, move.most), move.least]);
  }

  function zigzag(square, first, second, most) {
    const path = [];
    for (let here = stepped(square, first); here >= 0 && path.length < most; here = stepped(here, path.length % 2 ? second : first)) path.push(here);
    return path;
  }

  function bent(square, move) {
    const found = [];
    for (const [x, y] of DIRECTIONS[move.dirs]) for (let before = 1; before <= move.total; before += 1) {
      const straight = ray(square, [x, y], before);
      for (const turn of before < move.total ? [[-y, x], [y, -x]] : [[x, y]]) {
        const path = straight.length === before ? [...straight, ...ray(straight[before - 1], turn, move.total - before)] : straight;
        if (path.length === move.total) found.push([path, move.total]);
      }
    }
    return found;
  }

  function bending(square, move) {
    const found = [];
    for (const [x, y] of DIRECTIONS[move.dirs]) {
      const whole = ray(square, [x, y], move.most);
      const regions = [square, ...whole].map(quadrant);
      const crossing = regions.findIndex((region, i) => i && region !== regions[i - 1]);
      if (crossing < 0) {
        found.push([whole, move.least]);
        continue;
      }
      const straight = whole.slice(0, crossing);
      found.push([straight, move.least]);
      for (const [a, b] of [[x - y, x + y], [x + y, y - x]]) found.push([[...straight, ...ray(straight[straight.length - 1], [Math.sign(a), Math.sign(b)], move.most - straight.length)], move.least]);
    }
    return found;
  }

  function limitOf(type, owned) {
    const bounds = type.others.filter((other) => (owned[other.piece] || 0) >= other.least).map((other) => other.limit);
    if (type.limit !== null) bounds.push(type.limit);
    return bounds.length ? Math.min(...bounds) : null;
  }

  // --- a turn (606-610) ---------------------------------------------------------------------------------------------

  const look = (c, piece) => {
    const [colour, shape] = piece.owner ? c.facts.looks[piece.owner] : ["grey", "star"];
    return { text: piece.type.symbol, name: piece.owner ? piece.type.name + " of Player " + piece.owner : piece.type.name, colour, shape, owner: String(piece.owner || ""), ringed: piece.mascot };
  };

  // The squares a line must state: as few between its ends as leave one path (610.c).
  function stated(position, move) {
    const rivals = position.moves(move.from).filter((other) => other.to === move.to && other.granted === move.granted && String(other.via) !== String(move.via)).map((other) => other.via);
    const passes = (via, through) => {
      let at = 0;
      for (const square of via) if (square === through[at]) at += 1;
      return at === through.length;
    };
    const between = [[], ...move.via.map((square) => [square]), move.via].find((some) => !rivals.some((via) => passes(via, some))) || move.via;
    return [move.from, ...between, move.to].map(nameOf).join("-");
  }

  const reward = (c, type) => (type.name === "Dollarman" ? c.facts.dollarman : c.facts.rewards ? type.value : 0);

  // The steps of a plan one after another: the position after them, their lines, what may still be done.
  function played(c, plan) {
    const position = new Position(c);
    position.fixGrants(c.seat);
    const turn = { position, lines: [], money: c.facts.players[c.seat].money, toward: new Set(), moved: new Set(), moves: 0, ran: false, over: false };
    turn.allowed = position.kings.length - 1;
    turn.waiting = c.facts.players[c.seat].waits ? c.facts.players[c.seat].mascot : "";
    for (const step of plan.steps) made(c, turn, step);
    turn.runs = turn.ran || turn.moves ? [] : position.runs();
    turn.mascot = plan.steps.length ? undefined : position.off.find((piece) => piece.owner === c.seat && piece.mascot);
    return turn;
  }

  function made(c, turn, step) {
    const { position } = turn;
    if (step.is === "return") {
      const piece = position.off.find((one) => one.owner === c.seat && one.mascot);
      position.off = position.off.filter((one) => one !== piece);
      position.cells[step.to] = piece;
      turn.lines.push(piece.type.name + ": off-" + nameOf(step.to) + ", Mascot returned");
    } else if (step.is === "run") ran(turn, step);
    else {
      const before = position.attacked(c.seat);
      turn.moves += 1;
      const line = step.is === "place" ? placed(c, turn, step, before) : moved(c, turn, step, before);
      turn.lines.push(line);
      if (position.kings.length === 1 || position.king(c.seat) < 0) turn.over = true;
    }
  }

  function ran(turn, step) {
    const { position } = turn;
    const [column, row] = [step.to % SIDE, Math.floor(step.to / SIDE)];
    const edge = column === 0 || row === 0 || column === SIDE - 1 || row === SIDE - 1;
    const gem = edge ? quadrant(step.to) : 0;
    const parts = ["Neutron: " + nameOf(position.neutron) + "-" + nameOf(step.to)];
    const neutron = position.cells[position.neutron];
    position.cells[position.neutron] = null;
    if (gem) {
      parts.push("1 Neutron Gem to Player " + gem, "Neutron returned to center square");
      const gone = position.cells[CENTRE];
      if (gone) parts.push(gone.type.name + " of Player " + gone.owner + " destroyed by Neutron");
    }
    position.cells[gem ? CENTRE : step.to] = neutron;
    turn.ran = true;
    turn.lines.push(parts.join(", "));
    if (position.kings.length === 1) turn.over = true;
  }

  function aggression(position, seat, before, victims) {
    const now = position.attacked(seat).filter((other) => !before.includes(other));
    return [...new Set([...victims, ...now])].sort();
  }

  const toward = (players) => (players.length ? ["aggressive toward " + players.map((player) => "Player " + player).join(" and ")] : []);

  function moved(c, turn, step, before) {
    const { position } = turn;
    const piece = position.cells[step.from];
    const parts = [piece.type.name + ": " + stated(position, step)];
    const taken = position.play(step);
    const shot = step.from === step.to && taken.length && !step.via.length;
    for (const one of taken) parts.push("captures " + one.type.name + " of Player " + one.owner + (shot ? " on " + nameOf(one.square) : ""));
    if (taken.some((one) => one.mascot)) parts.push("Mascot captured");
    const after = position.cells[step.to];
    if (after.type !== piece.type && c.facts.statements === "full") parts.push("becomes " + after.type.name);
    const players = aggression(position, c.seat, before, taken.map((one) => one.owner));
    parts.push(...toward(players));
    players.forEach((player) => turn.toward.add(player));
    const received = taken.reduce((sum, one) => sum + reward(c, one.type), 0);
    if (received) parts.push(received + " F$ received");
    turn.money += received;
    turn.moved.add(piece.id);
    for (const one of taken) if (one.mascot) position.off.push({ id: one.id, type: one.type, owner: one.owner, mascot: true });
    return parts.join(", ");
  }

  function placed(c, turn, step, before) {
    const { position } = turn;
    const piece = position.off.find((one) => one.owner === c.seat && !one.mascot && one.type.name === step.type);
    position.off = position.off.filter((one) => one !== piece);
    position.cells[step.to] = piece;
    turn.moved.add(piece.id);
    const players = aggression(position, c.seat, before, []);
    players.forEach((player) => turn.toward.add(player));
    const named = turn.waiting === step.type ? ["the Mascot"] : [];
    if (named.length) turn.waiting = "";
    return [step.type + ": off-" + nameOf(step.to), ...named, ...toward(players)].join(", ");
  }

  // Why a step can't be made (607.B.ii); "" where it can.
  function fault(c, turn, step) {
    const after = { ...turn, position: turn.position.copy(), lines: [], toward: new Set(), moved: new Set() };
    made(c, after, step);
    const twice = [...after.toward].filter((player) => turn.toward.has(player));
    if (twice.length) return "a second aggressive move toward Player " + twice[0];
    return after.position.king(c.seat) >= 0 && after.position.checkers(c.seat).length ? "your King would be in check" : "";
  }

  // What a click on each square may do now: square -> steps.
  function choices(c, plan, turn) {
    const found = new Map();
    const add = (square, step) => found.set(square, [...(found.get(square) || []), step]);
    const { position } = turn;
    const home = squares.filter((square) => quadrant(square) === c.seat && !position.cells[square]);
    if (turn.over) return found;
    if (plan.hand === "mascot") home.forEach((to) => add(to, { is: "return", to }));
    else if (turn.runs.length) turn.runs.forEach((run) => add(run.to, { is: "run", ...run }));
    else if (turn.moves < turn.allowed && plan.hand) {
      if (position.mayGain(c.seat, types.get(plan.hand))) home.forEach((to) => add(to, { is: "place", type: plan.hand, to }));
    } else if (turn.moves < turn.allowed && plan.from >= 0) {
      for (const move of position.moves(plan.from)) add(move.to === move.from && !move.via.length ? move.captures[0] : move.to, { is: "move", ...move });
    }
    for (const [square, steps] of found) {
      const possible = steps.filter((step) => step.is === "return" || step.is === "run" || !fault(c, turn, step));
      if (possible.length) found.set(square, possible);
      else found.delete(square);
    }
    return found;
  }

  function wayOf(c, turn, step) {
    const names = [step.from, ...step.via, step.to].map(nameOf).join("-");
    return names + (step.captures.length ? ", captures on " + step.captures.map(nameOf).join(", ") : "") + (step.granted ? " (lent by a PrimeMover)" : "");
  }

  const Turn = {
    begin: () => ({ steps: [], from: -1, hand: "", square: -1, pass: false, shop: false, buys: {}, comment: "" }),
    shown(c, plan) {
      const turn = played(c, plan);
      const { position } = turn;
      const possible = choices(c, plan, turn);
      const targets = {};
      if (!turn.over && !turn.runs.length && plan.hand !== "mascot" && turn.moves < turn.allowed) {
        for (const square of position.men(c.seat)) if (!turn.moved.has(position.cells[square].id)) targets[nameOf(square)] = { look: "pick", says: "moves this piece" };
      }
      for (const [square, steps] of possible) targets[nameOf(square)] = { look: position.cells[square] && square !== plan.from ? "take" : "go", says: steps[0].is === "run" ? "the Neutron runs here" : steps[0].is === "move" ? (position.cells[square] && square !== plan.from ? "takes it" : "moves here") : "puts it here" };
      const before = new Position(c);
      const cells = {};
      for (const square of squares) {
        const [was, is] = [before.cells[square], position.cells[square]];
        if ((was && was.id) !== (is && is.id) || (was && was.type) !== (is && is.type)) cells[nameOf(square)] = is ? look(c, is) : null;
      }
      const bought = Object.entries(plan.buys).filter(([, count]) => count);
      const cost = bought.reduce((sum, [name, count]) => sum + count * types.get(name).price, 0);
      const lines = [...turn.lines];
      if (plan.pass && !turn.moves) lines.push("Pass");
      if (bought.length && !turn.over) lines.push("Purchase: " + bought.map(([name, count]) => count + " " + name).join(", ") + ", " + cost + " F$");
      const ways = plan.square >= 0 ? possible.get(plan.square) || [] : [];
      return {
        board: "",
        how: told(c, plan, turn),
        cells,
        targets,
        chosen: plan.from >= 0 ? [nameOf(plan.from)] : [],
        lines: [...(lines.length ? lines : [""]), ...commented(plan.comment)],
        controls: Turn.controls(c, plan, turn, ways, cost),
        says: Turn.says(c, turn, cost),
        lacks: Turn.lacks(turn, plan, cost),
      };
    },
    controls(c, plan, turn, ways, cost) {
      const { position } = turn;
      const off = [...new Set(position.off.filter((piece) => piece.owner === c.seat && !piece.mascot).map((piece) => piece.type.name))];
      const hand = [];
      if (turn.mascot) hand.push(["mascot", "your Mascot, the " + turn.mascot.type.name, false]);
      if (!turn.over && !turn.runs.length && turn.moves < turn.allowed) hand.push(...off.map((name) => [name, name, false]));
      const owned = { ...position.owned(c.seat) };
      for (const [name, count] of Object.entries(plan.buys)) owned[name] = (owned[name] || 0) + count;
      const left = turn.money - cost;
      const rows = turn.over ? [] : c.facts.types.filter((type) => type.sold).map((type) => {
        const count = plan.buys[type.name] || 0;
        const limit = limitOf(type, owned);
        const most = Math.min(count + Math.floor(left / Math.max(1, type.price)), limit === null ? 1000 : Math.max(count, limit - (owned[type.name] || 0) + count));
        return { id: "buy-" + type.name, kind: "count", name: type.name, label: type.name + " (" + type.symbol + "), " + type.price + " F$", value: count, max: Math.max(0, most) };
      }).filter((row) => row.max || row.value);
      return [
        ...(ways.length > 1 ? [{ id: "way", kind: "choice", label: "Which way?", value: "", options: ways.map((step, i) => [String(i), wayOf(c, turn, step)]) }] : []),
        ...(hand.length ? [{ id: "hand", kind: "choice", label: "Put on the board", value: plan.hand, options: [["", "nothing"], ...hand] }] : []),
        ...(turn.moves || turn.over ? [] : [{ id: "pass", kind: "check", label: "Pass: no move but the Neutron's", value: plan.pass, off: turn.runs.length > 0 }]),
        ...(rows.length ? [{ id: "shop", kind: "check", label: "Buy pieces at the end of the turn: " + left + " F$ left", value: plan.shop }] : []),
        ...(plan.shop ? rows : []),
        comment(plan),
      ];
    },
    says(c, turn, cost) {
      const said = [];
      const by = turn.position.checkers(c.seat);
      if (by.length) said.push("Your King is in check by " + by.map((player) => "Player " + player).join(", ") + "." + (turn.moves ? "" : " A pass stands only where nothing helps."));
      if (!turn.runs.length) said.push(turn.moves + " of " + turn.allowed + (turn.allowed === 1 ? " move" : " moves") + " made, " + (turn.money - cost) + " F$.");
      if (turn.over) said.push("This ends your turn.");
      return said;
    },
    lacks(turn, plan, cost) {
      if (turn.runs.length) return ["move the Neutron"];
      const found = turn.moves || plan.pass || turn.over ? [] : ["make a move, or pass"];
      if (cost > turn.money) found.push("you have " + turn.money + " F$, and this costs " + cost);
      return found;
    },
    square(c, plan, name) {
      const turn = played(c, plan);
      const square = numberOf(name);
      const steps = choices(c, plan, turn).get(square) || [];
      const rest = { from: -1, hand: "", square: -1, pass: false };
      if (steps.length === 1) return { ...plan, ...rest, steps: [...plan.steps, steps[0]] };
      if (steps.length > 1) return { ...plan, square };
      return { ...plan, ...rest, from: square === plan.from ? -1 : square };
    },
    control(c, plan, id, value) {
      if (id === "way") {
        const step = choices(c, plan, played(c, plan)).get(plan.square)[Number(value)];
        return { ...plan, steps: [...plan.steps, step], from: -1, square: -1, pass: false };
      }
      if (id === "hand") return { ...plan, hand: value, from: -1, square: -1 };
      if (id === "shop" && !value) return { ...plan, shop: false, buys: {} };
      if (id.startsWith("buy-")) return { ...plan, buys: { ...plan.buys, [id.slice(4)]: value } };
      return { ...plan, [id]: value };
    },
  };

  function told(c, plan, turn) {
    if (turn.over) return "";
    if (plan.hand === "mascot") return "Click the square of your quadrant where your Mascot returns.";
    if (turn.runs.length) return "First the Neutron: click where it runs.";
    if (turn.moves >= turn.allowed) return "All your moves are made.";
    if (plan.hand) return "Click a square of your quadrant.";
    if (plan.square >= 0) return "There are several ways: choose one.";
    return plan.from >= 0 ? "Click where it goes, or what it takes." : "Click a piece of yours.";
  }

  // --- before play --------------------------------------------------------------------------------------------------

  // Who one is, as 604.B and 605.B want it said. The name is that of the seat; the address is asked for only where the link
  // that led here did not tell it, and kept on the page while it is open.
  const addresses = {};
  const addressOf = (c) => addresses[c.seat] || c.address;
  const header = (c) => ["Name: " + c.name, "Player: " + c.seat, "Email: " + addressOf(c), ""];
  const contact = (c) => (c.address ? [] : [{ id: "email", kind: "text", label: "Your address, as it is registered", value: addressOf(c) }]);
  const unknown = (c) => (addressOf(c).trim() ? [] : ["your address"]);
  function noted(c, plan, id, value) {
    if (id === "email") addresses[c.seat] = value;
    return { ...plan, [id]: value };
  }

  const Purchase = {
    begin: () => ({ counts: {}, mascot: "", comment: "" }),
    shown(c, plan) {
      const { budget, least } = c.facts;
      const sold = c.facts.types.filter((type) => type.sold);
      const lots = sold.map((type) => [type, plan.counts[type.name] || 0]).filter(([, count]) => count);
      const cost = lots.reduce((sum, [type, count]) => sum + count * type.price, 0);
      const value = lots.reduce((sum, [type, count]) => sum + count * type.value, 0);
      const rows = sold.map((type) => {
        const count = plan.counts[type.name] || 0;
        const limit = limitOf(type, plan.counts);
        const most = Math.min(count + Math.max(0, Math.floor((budget - cost) / Math.max(1, type.price))), limit === null ? 1000 : Math.max(limit, 0));
        return { id: "buy-" + type.name, kind: "count", name: type.name, label: type.name + " (" + type.symbol + "): " + type.price + " F$, value " + type.value + (limit === null ? "" : ", at most " + limit), value: count, max: Math.max(most, 0) };
      });
      const worthy = lots.map(([type]) => type).filter((type) => type.mascot);
      const mascot = worthy.some((type) => type.name === plan.mascot) ? plan.mascot : "";
      return {
        lines: [
          ...header(c), "Purchases:", ...lots.map(([type, count]) => count + " " + type.name + ", " + type.price + " F$ each, value " + type.value + " each"),
          "", "Total cost: " + cost + " F$", "Total value: " + value, "Mascot: " + mascot, ...commented(plan.comment),
        ],
        controls: [
          { id: "shop", kind: "words", label: "Your army: " + cost + " of " + budget + " F$, value " + value },
          ...rows,
          { id: "mascot", kind: "pick", label: "Your Mascot", value: mascot, options: [["", "choose"], ...worthy.map((type) => [type.name, type.name])] },
          ...contact(c),
          comment(plan),
        ],
        says: ["Spent: " + cost + " of " + budget + " F$, value " + value + "."],
        lacks: [
          ...unknown(c),
          ...(cost < least ? ["spend at least " + least + " F$: " + (least - cost) + " more"] : []),
          ...(cost > budget ? ["spend " + (cost - budget) + " F$ less"] : []),
          ...lots.filter(([type, count]) => limitOf(type, plan.counts) !== null && count > limitOf(type, plan.counts)).map(([type]) => "at most " + limitOf(type, plan.counts) + " " + type.name),
          ...Purchase.repeated(c, lots),
          ...(mascot ? [] : ["choose your Mascot among your pieces"]),
        ],
      };
    },
    // 604.C: no army of the same types as an earlier one, or of some of them.
    repeated(c, lots) {
      const mine = lots.map(([type]) => type.name);
      const same = c.facts.players[c.seat].earlier.some((types) => types.length && mine.length && mine.every((name) => types.includes(name)));
      return same ? ["a type of piece that your earlier army did not have (604.C)"] : [];
    },
    control(c, plan, id, value) {
      if (id.startsWith("buy-")) return { ...plan, counts: { ...plan.counts, [id.slice(4)]: value } };
      return noted(c, plan, id, value);
    },
  };

  const Setup = {
    begin(c) {
      const first = c.facts.players[c.seat].army[0];
      return { spots: {}, hand: first ? first[0] : "King", mascot: "", comment: "" };
    },
    shown(c, plan) {
      const { army, mascot } = c.facts.players[c.seat];
      const left = Setup.left(c, plan);
      const on = (name) => Object.keys(plan.spots).filter((square) => plan.spots[square] === name);
      const targets = {};
      for (const square of squares) {
        const name = nameOf(square);
        if (plan.spots[name]) targets[name] = { look: "pick", says: "takes it off" };
        else if (quadrant(square) === c.seat && left[plan.hand]) targets[name] = { look: "pick", says: "puts the " + plan.hand + " here" };
      }
      const seats = on(mascot);
      const chosen = seats.includes(plan.mascot) ? plan.mascot : seats[0] || "";
      const cells = Object.fromEntries(Object.entries(plan.spots).map(([square, name]) => [square, look(c, { type: c.facts.types.find((type) => type.name === name), owner: c.seat, mascot: square === chosen })]));
      const value = (counts) => counts.reduce((sum, [name, count]) => sum + count * c.facts.types.find((type) => type.name === name).value, 0);
      const [has, of] = [value(army.map(([name]) => [name, on(name).length])), value(army)];
      const rows = army.map(([name]) => [name, on(name)]).filter(([, there]) => there.length).map(([name, there]) => name + ": " + there.join(", "));
      const names = [...army.map(([name]) => name), "King", "Dollarman"];
      return {
        board: "",
        how: left[plan.hand] ? "Click where the " + plan.hand + " goes; click a piece to take it off." : "Choose another piece; click one on the board to take it off.",
        targets,
        cells,
        lines: [
          ...header(c), "Pieces owned:", ...(army.length ? army.map(([name, count]) => count + " " + name) : ["none"]), "",
          "Setup:", ...(rows.length ? rows : ["none"]), "", "King: " + (on("King")[0] || ""), "Dollarman: " + (on("Dollarman")[0] || ""),
          ...(chosen ? ["Mascot: " + mascot + " " + chosen] : []), ...commented(plan.comment),
        ],
        controls: [
          { id: "hand", kind: "choice", label: "Put on the board", value: plan.hand, options: names.map((name) => [name, name + ": " + left[name] + " left", !left[name]]) },
          ...(seats.length > 1 ? [{ id: "mascot", kind: "pick", label: "Your Mascot stands on", value: chosen, options: seats.map((square) => [square, square]) }] : []),
          ...contact(c),
          comment(plan),
        ],
        says: ["Placed: value " + has + " of " + of + "."],
        lacks: [
          ...unknown(c),
          ...(has * 100 < c.facts.percent * of ? ["place at least " + Math.ceil((of * c.facts.percent) / 100) + " of your army's value"] : []),
          ...["King", "Dollarman"].filter((name) => left[name]).map((name) => "place the " + name),
          ...(mascot && !chosen ? ["place your Mascot, a " + mascot] : []),
        ],
      };
    },
    left(c, plan) {
      const counts = { ...Object.fromEntries(c.facts.players[c.seat].army), King: 1, Dollarman: 1 };
      for (const name of Object.values(plan.spots)) counts[name] -= 1;
      return counts;
    },
    square(c, plan, square) {
      const spots = { ...plan.spots };
      if (spots[square]) {
        const hand = spots[square];
        delete spots[square];
        return { ...plan, spots, hand };
      }
      spots[square] = plan.hand;
      const after = { ...plan, spots };
      const left = Setup.left(c, after);
      return left[plan.hand] ? after : { ...after, hand: Object.keys(left).find((name) => left[name]) || plan.hand };
    },
    control: noted,
  };

  const Ready = {
    begin: () => ({ office: "", colours: "", trim: "", comment: "" }),
    shown: (c, plan) => ({
      lines: [
        c.ask.form.split("\n")[0], ...(plan.office.trim() ? ["Office: " + plan.office.trim()] : []), ...(plan.colours.trim() ? ["Colours: " + plan.colours.trim()] : []),
        ...(plan.trim.trim() ? ["Trim: " + plan.trim.trim()] : []), ...commented(plan.comment),
      ],
      controls: [
        { id: "office", kind: "text", label: "Your Office's name (may be left out)", value: plan.office },
        { id: "colours", kind: "text", label: "One or two main colours (may be left out)", value: plan.colours },
        { id: "trim", kind: "text", label: "Up to two trim colours (may be left out)", value: plan.trim },
        comment(plan),
      ],
    }),
    control: (c, plan, id, value) => ({ ...plan, [id]: value }),
  };

  const Objection = {
    begin(c) {
      const [cycle, round, player] = c.facts.last || [1, 1, 1];
      return { cycle: String(cycle), round: String(round), player: String(player), reason: "" };
    },
    shown(c, plan) {
      const [cycle, round] = c.facts.last || [1, 1];
      const numbers = (most) => Array.from({ length: most }, (_, i) => [String(i + 1), String(i + 1)]);
      const rounds = Number(plan.cycle) === cycle ? round : 99;
      return {
        board: "",
        how: "",
        lines: ["Cycle: " + plan.cycle, "Round: " + plan.round, "Turn of Player: " + plan.player, ...plan.reason.split("\n").filter((line) => line.trim()).map((line) => "Reason: " + line.trim())],
        controls: [
          ...(cycle > 1 ? [{ id: "cycle", kind: "pick", label: "Cycle", value: plan.cycle, options: numbers(cycle) }] : []),
          { id: "round", kind: "pick", label: "Round", value: plan.round, options: numbers(rounds) },
          { id: "player", kind: "pick", label: "Turn of Player", value: plan.player, options: numbers(4) },
          { id: "reason", kind: "text", label: "Your reason", value: plan.reason, long: true },
        ],
        lacks: plan.reason.trim() ? [] : ["your reason"],
      };
    },
    control: (c, plan, id, value) => ({ ...plan, [id]: value }),
  };

  window.boardForm.game("fourplay", { Ready, Purchase, Setup, Turn, Objection });
})();
