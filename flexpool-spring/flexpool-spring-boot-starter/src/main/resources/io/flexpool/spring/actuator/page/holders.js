/*
 * The holders of the connections, their call sites, and why the last request got none.
 */
const FlexPoolHolders = (() => {
  const { UNKNOWN, $, element, write, renew, number, duration, plural, upper } = FlexPoolWords;
  const { read } = FlexPoolReading;
  const { clock } = FlexPoolChart;
  const { table, expandable } = FlexPoolTable;
  const NOW = { 'in-database': 'in the database', idle: 'idle' };

  const percent = share => (share === undefined ? UNKNOWN : Math.round(100 * share) + '\u00a0%');

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
    expandable($('holders'), show);
    expandable($('sites'), show);
  }

  return { start, show };
})();
