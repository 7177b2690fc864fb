/*
 * The holders of the connections, their call sites, and why the last request got none.
 */
const FlexPoolHolders = (() => {
  const { UNKNOWN, $, element, write, renew, number, duration, plural } = FlexPoolWords;
  const { read, momentLink } = FlexPoolReading;
  const { clock } = FlexPoolChart;
  const { table, expandable } = FlexPoolTable;
  const { ordered } = FlexPoolBlocking;
  const NOW = { 'in-database': 'in the database', idle: 'without a statement' };

  const percent = share => (share === undefined ? UNKNOWN : Math.round(100 * share) + '\u00a0%');

  function showHolders() {
    const { detail } = read;
    const rows = detail.holders || [];
    $('holders').hidden = !detail.enabled || detail.holders === undefined;
    const timed = rows.some(row => row.idleShare !== undefined);
    const known = rows.some(row => NOW[row.activity] || row.leakSuspected);
    const looked = rows.some(row => row.inServer !== undefined);
    const withStatements = rows.some(row => row.statement !== undefined);
    const open = plural(detail.openLeases, 'open lease', 'open leases');
    const left = detail.openLeases > rows.length ? '; the ' + rows.length + ' oldest are shown' : ', oldest first';
    const transactions = rows.map(row => (row.inServer && row.inServer.inTransactionMillis) || 0);
    const oldest = Math.max(0, ...transactions);
    const transaction = oldest > 0 ? ' The oldest transaction is open for ' + duration(oldest) + '.' : '';
    const inOrder = ordered(rows);
    table($('holders'), inOrder, ({ row, blocks }) => [
      ['Held for', duration(row.ageMillis), 'number'],
      ['Thread', row.thread + (row.virtualThread ? ' (virtual)' : ''), 'thread'],
      ['Call site', row.callSite || 'not captured', row.callSite ? 'code site' : 'none'],
      ...(known ? [['Activity', (NOW[row.activity] || 'unknown') + (row.leakSuspected ? ', leak suspected' : ''), row.leakSuspected ? 'activity bad' : 'activity']] : []),
      ...(timed ? [['Outside database', percent(row.idleShare), 'number']] : []),
      ...(looked ? [['In the server', row.inServer ? (blocks > 0 ? 'blocks ' + number(blocks) + ': ' : '') + 'session ' + row.inServer.session + ': ' + row.inServer.words : UNKNOWN, blocks > 0 ? 'bad' : '']] : []),
      ...(withStatements ? [['Statement', row.statement || UNKNOWN, 'code']] : []),
    ], rows.length === 0 ? 'No open leases.' : open + left + '.' + transaction);
  }

  function showSites() {
    const rows = read.detail.callSites || [];
    $('sites').hidden = rows.length === 0;
    const timed = rows.some(row => row.idleShare !== undefined);
    table($('sites'), rows, row => [
      ['Call site', row.callSite, 'code site'],
      ['Leases', number(row.count), 'number'],
      ['Time leased', duration(row.heldMillis), 'number'],
      ['Lease p50', duration(row.leaseP50Millis), 'number'],
      ['Lease p99', duration(row.leaseP99Millis), 'number'],
      ['Wait p99', duration(row.acquisitionP99Millis), 'number'],
      ...(timed ? [['Outside database', percent(row.idleShare), 'number']] : []),
    ], 'Leases with a captured call site, ordered by total time held.');
  }

  /** The lines of a report by their labels. */
  function lines(text) {
    const found = [];
    for (const line of text.split('\n').slice(1)) {
      const label = line.slice(2, 11).trim();
      if (label !== '' || found.length === 0) {
        found.push([label, []]);
      }
      found[found.length - 1][1].push(line.slice(11));
    }
    return found;
  }

  function row([label, words]) {
    const parts = words.map(line => element('div', line.includes('  blocks others, ') ? 'blocker' : '', line));
    return [element('dt', '', label), element('dd', label, ...parts)];
  }

  const HOW_TO = 'how-to/pool-exhausted.html#2-find-your-cause';

  /**
   * The instructions for a cause: a link if the application has the address of the documentation. It leads to the section,
   * and browsers that can find a text in a page scroll to the cause. A hyphen has a meaning there.
   */
  function help(cause) {
    const base = document.querySelector('meta[name=documentation]').content;
    const page = '“My pool is exhausted”, ' + cause;
    if (!/^(https?:\/\/|\/)/.test(base)) {
      return ['How-to: ' + page + ' (docs/how-to/pool-exhausted.md)'];
    }
    const link = element('a', '', page);
    link.href = base.replace(/\/?$/, '/') + HOW_TO + ':~:text=' + encodeURIComponent(cause).replaceAll('-', '%2D');
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
    return ['How-to: ', link];
  }

  function showExplained() {
    const last = read.detail.lastTimeout;
    $('explained').hidden = !last;
    if (!last) {
      return;
    }
    const text = String(last.text);
    const at = last.timeEpochMillis;
    renew($('explained-when'), at + ' ' + last.number, () => {
      const link = element('a', '', at ? clock(at) : 'now');
      link.href = momentLink(at || read.serverTime);
      return [link, ', report ' + last.number];
    });
    write($('explained-cause'), text.split('\n')[0]);
    renew($('explained-rows'), text, () => lines(text).flatMap(row));
    renew($('explained-help'), last.causeInWords, () => help(String(last.causeInWords)));
    write($('explained-text'), text);
  }

  /** With the link to the moment, for a ticket. Without a secure context browsers copy only what is selected. */
  async function copy() {
    const last = read.detail.lastTimeout;
    const link = location.origin + location.pathname + momentLink(last.timeEpochMillis || read.serverTime);
    const text = last.text + '\n' + link + '\n';
    let done = false;
    try {
      await navigator.clipboard.writeText(text);
      done = true;
    } catch (refused) {
      const area = element('textarea', '');
      area.value = text;
      document.body.append(area);
      area.select();
      done = document.execCommand('copy');
      area.remove();
      $('copy').focus();
    }
    write($('copied'), done ? 'Copied.' : 'The browser refuses to copy: select the report as text.');
  }

  function show() {
    showExplained();
    showHolders();
    showSites();
  }

  function start() {
    $('copy').addEventListener('click', copy);
    expandable($('holders'), show);
    expandable($('sites'), show);
  }

  return { start, show };
})();
