/*
 * The holders of the connections, their call sites, and why the last request got none.
 */
const FlexPoolHolders = (() => {
  const { UNKNOWN, $, element, write, renew, number, duration, plural, upper } = FlexPoolWords;
  const { read } = FlexPoolReading;
  const { clock } = FlexPoolChart;
  const FEW = 8;
  const NOW = { 'in-database': 'in the database', idle: 'idle' };
  /* The tables expanded to all rows. */
  const whole = new Set();

  const percent = share => (share === undefined ? UNKNOWN : Math.round(100 * share) + '\u00a0%');

  /** Writes only what has changed, so that a text selection survives. cells: label, text, class. */
  function fillRows(body, lines) {
    while (body.children.length > lines.length) {
      body.lastElementChild.remove();
    }
    lines.forEach((cells, at) => {
      if (!body.children[at] || body.children[at].children.length !== cells.length) {
        const made = element('tr', '', ...cells.map(() => element('td', '', element('span'))));
        body.children[at] ? body.children[at].replaceWith(made) : body.append(made);
      }
      cells.forEach(([label, text, className], column) => {
        const cell = body.children[at].children[column];
        cell.dataset.label = label;
        cell.className = className || '';
        write(cell.firstElementChild, text);
      });
    });
  }

  /** The first rows, or all: a list of fifty would push the rest of the page out of sight. */
  function table(section, rows, cellsOf, note) {
    const shown = whole.has(section.id) ? rows : rows.slice(0, FEW);
    const lines = shown.map(cellsOf);
    const heads = lines.length === 0 ? [] : lines[0];
    const labels = JSON.stringify(heads.map(([label]) => label));
    renew(section.querySelector('thead tr'), labels, () => heads.map(([label, , className]) => {
      const head = element('th', className === 'number' ? 'number' : '', label);
      head.scope = 'col';
      return head;
    }));
    fillRows(section.querySelector('tbody'), lines);
    section.querySelector('.body').hidden = rows.length === 0;
    write(section.querySelector('.note'), note);
    const more = section.querySelector('.more');
    more.hidden = rows.length <= FEW;
    more.setAttribute('aria-expanded', String(whole.has(section.id)));
    write(more, whole.has(section.id) ? 'Show ' + FEW : 'Show all ' + number(rows.length));
  }

  function showHolders() {
    const { detail } = read;
    const rows = detail.holders || [];
    $('holders').hidden = !detail.enabled || detail.holders === undefined;
    const timed = rows.some(row => row.idleShare !== undefined);
    const looked = rows.some(row => row.inServer !== undefined);
    const withStatements = rows.some(row => row.statement !== undefined);
    const open = plural(detail.openLeases, 'open lease', 'open leases');
    const left = detail.openLeases > rows.length ? '; the ' + rows.length + ' oldest are shown' : ', oldest first';
    table($('holders'), rows, row => [
      ['Held for', duration(row.ageMillis), 'number'],
      ['Thread', row.thread + (row.virtualThread ? ' (virtual)' : '')],
      ['Call site', row.callSite || 'not captured', row.callSite ? 'code site' : 'none'],
      ['Now', (NOW[row.activity] || 'unknown') + (row.leakSuspected ? ', leak suspected' : ''), row.leakSuspected ? 'activity bad' : 'activity'],
      ...(timed ? [['Held idle', percent(row.idleShare), 'number']] : []),
      ...(looked ? [['In the server', row.inServer ? 'session ' + row.inServer.session + ': ' + row.inServer.words : UNKNOWN]] : []),
      ...(withStatements ? [['Statement', row.statement || UNKNOWN, 'code']] : []),
    ], rows.length === 0 ? 'No open leases.' : open + left + '.');
  }

  function showSites() {
    const rows = read.detail.callSites || [];
    $('sites').hidden = rows.length === 0;
    const timed = rows.some(row => row.idleShare !== undefined);
    table($('sites'), rows, row => [
      ['Call site', row.callSite, 'code site'],
      ['Leases', number(row.count), 'number'],
      ['Held in all', duration(row.heldMillis), 'number'],
      ['Lease p50', duration(row.leaseP50Millis), 'number'],
      ['Lease p99', duration(row.leaseP99Millis), 'number'],
      ['Wait p99', duration(row.acquisitionP99Millis), 'number'],
      ...(timed ? [['Held idle', percent(row.idleShare), 'number']] : []),
    ], 'Leases with a captured call site, ordered by total time held.');
  }

  function showExplained() {
    const last = read.detail.lastTimeout;
    $('explained').hidden = !last;
    if (!last) {
      return;
    }
    write($('explained-when'), last.timeEpochMillis ? clock(last.timeEpochMillis) + ', report ' + last.number : 'report ' + last.number);
    write($('explained-cause'), upper(last.causeInWords) + '.');
    renew($('explained-evidence'), JSON.stringify(last.evidence), () => last.evidence.map(line => element('li', '', upper(line) + '.')));
    write($('explained-action'), 'flexpool: ' + last.action + '.');
    write($('explained-text'), last.text);
  }

  function show() {
    showExplained();
    showHolders();
    showSites();
  }

  function start() {
    for (const name of ['holders', 'sites']) {
      $(name).querySelector('.more').addEventListener('click', () => {
        whole.has(name) ? whole.delete(name) : whole.add(name);
        show();
      });
    }
  }

  return { start, show };
})();
