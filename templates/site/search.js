// The search: loads the index, whose files are scripts so that they load from a disk too, and shows the matches that fit.
// What others wrote is only ever set as text.
(function () {
  "use strict";
  const MOST = 200;
  const form = document.getElementById("search");
  const count = document.getElementById("count");
  const table = document.getElementById("found");
  const fields = {};
  for (const name of ["named", "game", "ending", "from", "until"]) fields[name] = document.getElementById(name);
  let matches = [];

  // A file of the index: it hands itself over.
  function load(number) {
    return new Promise(function (done, failed) {
      const script = document.createElement("script");
      script.src = "index/" + number + ".js";
      script.addEventListener("load", done);
      script.addEventListener("error", failed);
      document.head.append(script);
    });
  }

  // Names without case and accents.
  function plain(text) {
    return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  }

  function fits(match) {
    const day = new Date(match.updated).toLocaleDateString("sv"); // 2031-05-03, in the reader's zone
    const wanted = plain(fields.named.value).split(/\s+/);
    const told = [match.name, match.title, match.stands, ...match.people.map((one) => one.name)].map(plain);
    const ending = fields.ending.value;
    return (
      wanted.every((word) => told.some((one) => one.includes(word))) &&
      (!fields.game.value || match.game === fields.game.value) &&
      (!ending || (ending === "free" ? match.vacant !== "" : match.ending === ending)) &&
      (!fields.from.value || day >= fields.from.value) &&
      (!fields.until.value || day <= fields.until.value)
    );
  }

  function day(moment) {
    const time = document.createElement("time");
    time.dateTime = moment;
    time.textContent = new Date(moment).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
    const cell = document.createElement("td");
    cell.dataset.of = "Last turn";
    cell.append(time);
    return cell;
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
    const cells = [match.title, people, match.stands, day(match.updated)].map(function (value) {
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
    const numbers = [...Array(window.index.about.files).keys()];
    await Promise.all(numbers.map(load));
    matches = numbers.flatMap((number) => window.index[number]).reverse();
    const asked = new URLSearchParams(location.search);
    for (const name in fields) fields[name].value = asked.get(name === "named" ? "q" : name) || "";
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
