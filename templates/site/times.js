// Times in the reader's own zone; without scripts they stay UTC, as they stand.
(function () {
  "use strict";
  for (const time of document.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    const day = at.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
    const hour = at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
    time.textContent = time.textContent.includes(":") ? day + ", " + hour : day;
  }
  const zone = document.getElementById("zone");
  if (zone) zone.textContent = "Times are those of your clock (" + Intl.DateTimeFormat().resolvedOptions().timeZone + ").";
})();
