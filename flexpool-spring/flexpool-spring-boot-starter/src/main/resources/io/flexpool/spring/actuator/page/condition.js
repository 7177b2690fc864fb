/*
 * One sentence: the first thing to know on call. Screen readers announce it when it changes, but not the figures
 * behind it, which change every second.
 */
const FlexPoolCondition = (() => {
  const { $, write, number, duration, plural } = FlexPoolWords;
  const { read } = FlexPoolReading;
  const { clock } = FlexPoolChart;
  const { lastTime } = FlexPoolEvents;
  const { ordered } = FlexPoolBlocking;

  /** The last connect failure if no request has been served since, else null; empty if its event is not kept. */
  function outage(detail) {
    return detail.connectFailuresInARow > 0
      ? (detail.events || [])
        .filter(one => one.kind === 'connect-failure')
        .reduce((last, one) => (last && lastTime(last) > lastTime(one) ? last : one), null) || {}
      : null;
  }

  const because = text => (text ? ': ' + text.replace(/\.$/, '') : '') + '.';

  /** The severity, the sentence, and the figures behind it. */
  function condition(detail) {
    const { state, limits, circuit } = detail;
    const failed = outage(detail);
    const most = limits.limited ? limits.limit : limits.max;
    const wait = plural(state.waiting, 'waits', 'wait') + ', the oldest for ' + duration(state.oldestWaitMillis) + '.';
    if (!detail.enabled) {
      return ['calm', 'flexpool is disabled and records no figures.', ''];
    }
    if (detail.phase === 'closed') {
      return ['bad', 'The pool is closed: every request is refused.', ''];
    }
    if (detail.phase === 'paused') {
      return ['wait', 'The pool is paused: requests wait until it is resumed.', state.waiting > 0 ? wait : ''];
    }
    if (detail.phase === 'draining') {
      return ['wait', 'The pool is draining: new requests are rejected, and open leases can finish.', number(state.active) + ' leased.'];
    }
    if (circuit && circuit.phase !== 'closed') {
      const half = circuit.phase === 'half-open';
      const said = half
        ? 'Circuit half-open: one probe request tests the database.'
        : 'The circuit is open, requests are rejected' + because(circuit.reason);
      return ['bad', said, 'Since ' + clock(circuit.sinceEpochMillis) + '.'];
    }
    if (failed) {
      const since = failed.timeEpochMillis ? 'Last failure at ' + clock(lastTime(failed)) + '. No request has been served since.' : '';
      return ['bad', 'The database refuses connections or cannot be reached' + because(failed.reason), since];
    }
    if (state.pending > 0 && most !== undefined && state.active + (state.foreign || 0) >= most) {
      return ['wait', 'Every connection is in use, and requests wait.', state.waiting > 0 ? wait : number(state.pending) + ' pending.'];
    }
    if (state.waiting > 0) {
      return ['wait', 'Requests wait for a connection.', wait];
    }
    const { blocks } = blocker(detail) || { blocks: 0 };
    return blocks > 0
      ? ['wait', plural(blocks, 'lease waits', 'leases wait') + ' for a lock of another lease.', '']
      : ['calm', 'No request is waiting.', ''];
  }

  /** The lease that blocks most others now, with their number; undefined if none is known. */
  function blocker(detail) {
    return ordered(detail.holders || []).find(({ blocks }) => blocks > 0);
  }

  function lately(detail) {
    const figures = detail.statistics.recent;
    const late = figures.counters.timeouts;
    const unconnected = figures.counters.connectFailures;
    const away = figures.acquisition.rejected.count;
    const parts = [
      late > 0 ? plural(late, 'request', 'requests') + ' timed out' : '',
      away > 0 ? plural(away, 'was', 'were') + ' rejected' : '',
      unconnected > 0 ? plural(unconnected, 'connect', 'connects') + ' failed' : '',
    ].filter(part => part !== '');
    const leaks = detail.leaks ? detail.leaks.suspectedNow : 0;
    return [
      leaks > 0 ? plural(leaks, 'connection', 'connections') + ' may have leaked.' : '',
      parts.length === 0 ? '' : parts.join(', ') + ' in the last minute.',
      detail.state.scaleOutHelps === false ? 'More instances would not help.' : '',
    ].filter(part => part !== '').join(' ');
  }

  /**
   * The cause of a failure of the last minute, and the lease that blocks others: the one that does it now, or the one that
   * the report names.
   */
  function cause(detail) {
    const last = detail.lastTimeout;
    const now = blocker(detail);
    const recent = last && read.serverTime - last.timeEpochMillis < 60000;
    const named = recent && String(last.text).split('\n').find(line => line.includes('  blocks others, '));
    return [
      recent ? 'Cause: ' + last.causeInWords + '.' : '',
      now ? 'Blocker: ' + inWords(now) + '.' : named ? 'Blocker: ' + named.slice(11).trim().replace(/ {2,}/g, ', ') + '.' : '',
    ].filter(part => part !== '').join(' ');
  }

  const inWords = ({ row, blocks }) => [row.callSite, 'blocks ' + number(blocks), 'session ' + row.inServer.session, row.inServer.words, 'in ' + row.thread]
    .filter(part => part).join(', ');

  function show() {
    const { detail } = read;
    const [how, said, figures] = condition(detail);
    const past = detail.enabled ? lately(detail) : '';
    const calm = how === 'calm' && past !== '';
    $('condition').dataset.state = calm ? 'wait' : how;
    // The bad news first.
    write($('condition-said'), calm ? past : said);
    write($('condition-figures'), [cause(detail), ...(calm ? [said] : [figures, past])].filter(part => part !== '').join(' '));
  }

  return { show };
})();
