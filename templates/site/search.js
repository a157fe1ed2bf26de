// The search: reads the index's files and shows the matches that fit. What others wrote is only ever set as text.
(function () {
  "use strict";
  const MOST = 200;
  const form = document.getElementById("search");
  const count = document.getElementById("count");
  const table = document.getElementById("found");
  const fields = {};
  for (const name of ["player", "game", "ending", "from", "until"]) fields[name] = document.getElementById(name);
  let matches = [];

  async function read(name) {
    const answer = await fetch("index/" + name + ".json");
    if (!answer.ok) throw new Error(name);
    return answer.json();
  }

  // Names without case and accents.
  function plain(text) {
    return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  }

  function fits(match) {
    const day = match.updated.slice(0, 10);
    const wanted = plain(fields.player.value.trim());
    const ending = fields.ending.value;
    return (
      (!wanted || match.people.some((person) => plain(person.name).includes(wanted))) &&
      (!fields.game.value || match.game === fields.game.value) &&
      (!ending || (ending === "free" ? match.vacant !== "" : match.ending === ending)) &&
      (!fields.from.value || day >= fields.from.value) &&
      (!fields.until.value || day <= fields.until.value)
    );
  }

  function link(address, text) {
    const found = document.createElement("a");
    found.href = address;
    found.textContent = text;
    return found;
  }

  function row(match) {
    const line = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    head.append(link("matches/" + match.folder + "/index.html", match.name));
    const people = document.createElement("td");
    match.people.filter((person) => !person.left).forEach(function (person, index) {
      if (index) people.append(", ");
      people.append(link("players/" + person.player + ".html", person.name));
    });
    const cells = [match.title, people, match.outcome || match.phase, match.updated.slice(0, 10)].map(function (value) {
      if (value instanceof Element) return value;
      const cell = document.createElement("td");
      cell.textContent = value;
      return cell;
    });
    line.append(head, ...cells);
    return line;
  }

  function show() {
    const found = matches.filter(fits);
    table.tBodies[0].replaceChildren(...found.slice(0, MOST).map(row));
    table.hidden = found.length === 0;
    const more = found.length > MOST ? ", the first " + MOST + " are shown" : "";
    count.textContent = found.length + (found.length === 1 ? " match" : " matches") + more + ".";
  }

  async function begin() {
    const about = await read("about");
    const files = await Promise.all(Array.from({ length: about.files }, (_, number) => read(String(number))));
    matches = files.flat().reverse();
    document.getElementById("plain").hidden = true;
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", show);
    show();
  }

  begin().catch(function () {
    count.textContent = "The index could not be read.";
  });
})();
