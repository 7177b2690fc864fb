/*
 * The figures of the selected pool over time, and the moment selected in the chart.
 */
const FlexPoolCourse = (() => {
  const { $, element, write, renew, number, rate, plural } = FlexPoolWords;
  const { read, serverNow, course, momentLink } = FlexPoolReading;
  const { clock, draw, timeAt } = FlexPoolChart;
  const { spans, plain, lastTime } = FlexPoolEvents;
  const CONNECTIONS = [{ key: 'active', area: true }, { key: 'idle' }, { key: 'max' }, { key: 'limit' }];
  const PENDING = [{ key: 'pending', area: true }];
  /* Failed requests: the outcome, the kind of event that shows them, and what is said of them. */
  const FAILED = [['connect_failure', 'connect-failure', 'without a connection to the database'], ['timeout', 'timeout', 'timed out'], ['rejected', 'rejected', 'rejected']];
  /* Failures that follow each other so closely are one incident. */
  const ONE_INCIDENT_MILLIS = 10000;
  let range = 300000;
  /* The second, since the pool was wrapped, of the interval that is selected; null for the newest. */
  let cursor = null;

  const end = one => one.time + one.seconds * 1000;

  /** The spans of time in which requests failed in one way, as the history has them, oldest first. */
  function incidents() {
    const all = [];
    for (const [outcome, kind, words] of FAILED) {
      let open = null;
      for (const one of course().filter(each => each[outcome] > 0)) {
        if (open === null || one.time - open.until > ONE_INCIDENT_MILLIS) {
          open = { kind, words, time: one.time, until: 0, count: 0 };
          all.push(open);
        }
        open.until = end(one);
        open.count += one[outcome];
      }
    }
    return all.sort((one, other) => one.time - other.time);
  }

  const said = incident => plural(incident.count, 'request', 'requests') + ' ' + incident.words;

  /** Incidents whose events are no longer kept. */
  function forgotten(marks) {
    return incidents()
      .filter(({ kind, time, until }) => !marks.some(mark => mark.kind === kind && mark.time < until && mark.until > time - ONE_INCIDENT_MILLIS))
      .map(incident => ({ ...incident, title: clock(incident.time) + ' ' + said(incident) }));
  }

  function eventMarks() {
    const events = spans(read.detail.events || []).filter(({ first }) => !FlexPoolSizing.isDecision(first));
    return FlexPoolSizing.marks().concat(events.map(({ first, last, detailed }) => ({
      kind: first.kind,
      from: first.from,
      to: first.to,
      time: first.timeEpochMillis,
      // The limit's own line shows how long a change lasted.
      until: first.kind === 'resized' ? first.timeEpochMillis : lastTime(last),
      title: clock(first.timeEpochMillis) + ' ' + plain(detailed),
    })));
  }

  /** Selects the moment that the address names, in the shortest range that has it; once. */
  function follow() {
    if (read.moment === 0 || course().length === 0) {
      return;
    }
    const choices = [...document.getElementsByName('range')];
    const wide = choices.find(choice => serverNow() - read.moment < Number(choice.value)) || choices[choices.length - 1];
    wide.checked = true;
    range = Number(wide.value);
    const distance = one => Math.max(one.time - read.moment, read.moment - end(one), 0);
    cursor = course().reduce((best, one) => (distance(one) < distance(best) ? one : best)).second;
    read.moment = 0;
  }

  function show() {
    follow();
    const to = serverNow();
    const from = to - range;
    const width = Math.max(240, Math.floor($('chart').clientWidth));
    const known = read.detail ? eventMarks() : [];
    const marks = known.concat(forgotten(known));
    const chosen = selected();
    const common = { width, from, to, samples: course(), cursor: chosen };
    draw($('chart-connections'), { ...common, height: width < 520 ? 200 : 250, series: CONNECTIONS, unit: 'connections', marks, times: false, least: 2, lines: 5 });
    draw($('chart-pending'), { ...common, height: 124, series: PENDING, unit: 'requests pending', marks: [], times: true, least: 2, lines: 3 });
    showLegend(chosen);
    $('moment').hidden = chosen === null;
    $('moment').firstElementChild.href = chosen ? momentLink(chosen.time) : '#';
    write($('course-note'), note(from));
  }

  function note(from) {
    if (course().length === 0) {
      return read.detail && read.detail.enabled ? 'No samples yet.' : 'No data is recorded.';
    }
    const before = incidents().filter(incident => incident.until <= from);
    const earlier = before.length === 0
      ? ''
      : 'Earlier: ' + before.slice(-2).map(incident => said(incident) + ' from ' + clock(incident.time) + ' to ' + clock(incident.until)).join(', ') + '. ';
    return earlier + 'Data since ' + clock(course()[0].time)
      + ' (one hour is kept). Each point is the maximum of 1 s, or of 10 s if older than 5 min; for idle connections it is the minimum. A gap has no samples.';
  }

  /** The moment under the cursor; null if there is none, or if it is no longer shown. */
  function selected() {
    const found = cursor === null ? undefined : visible().find(one => one.second === cursor);
    cursor = found ? cursor : null;
    return found || null;
  }

  /** What ended within an interval: rates need all of it. */
  function ended(one) {
    const failed = FAILED.reduce((sum, [outcome]) => sum + (one[outcome] || 0), 0);
    const span = one.seconds === 1 ? '' : ' over ' + one.seconds + ' s';
    return [
      ...(end(one) <= read.serverTime ? [['acquired', rate((one.ok || 0) / one.seconds) + ' / s' + span]] : []),
      ...(failed > 0 ? [['failed', number(failed)]] : []),
    ];
  }

  function showLegend(chosen) {
    const shown = chosen || course()[course().length - 1];
    const parts = !shown
      ? []
      : [['At', clock(shown.time) + (shown.seconds > 1 ? ' – ' + clock(end(shown)) : '')]].concat(
          [['active', 'active'], ['idle', 'idle'], ['pending', 'pending'], ['limit', 'limit'], ['max', 'pool max']]
            .filter(([key]) => shown[key] !== undefined)
            .map(([key, label]) => [label, number(shown[key])]),
          chosen ? ended(chosen) : []);
    const text = parts.map(part => part.join(' ')).join(', ');
    renew($('legend'), text, () => parts.map(([label, value]) => element('li', '', label + ' ', element('b', '', value))));
    const chart = $('chart');
    // While the chart has the focus, only the user changes its value, not the clock.
    if (shown && (chosen || document.activeElement !== chart)) {
      const all = visible();
      chart.setAttribute('aria-valuemin', '1');
      chart.setAttribute('aria-valuemax', String(all.length));
      chart.setAttribute('aria-valuenow', String(all.indexOf(shown) + 1));
      chart.setAttribute('aria-valuetext', text);
    }
  }

  const visible = () => course().filter(one => end(one) > serverNow() - range);

  function pointAt(event) {
    const box = $('chart').getBoundingClientRect();
    const to = serverNow();
    const time = timeAt(event.clientX - box.left, box.width, to - range, to);
    const distance = one => Math.max(one.time - time, time - end(one), 0);
    const nearest = visible().reduce((best, one) => (!best || distance(one) < distance(best) ? one : best), null);
    cursor = nearest && nearest.second;
    show();
  }

  function unpoint() {
    cursor = null;
    show();
  }

  /** The link to the moment lies beside the chart: the moment stays until the pointer or the focus leaves their section. */
  function left(event) {
    const section = $('course');
    const stays = event.type === 'focusout'
      ? section.contains(event.relatedTarget)
      : event.pointerType === 'touch' || section.querySelector(':focus-visible') !== null;
    if (!stays) {
      unpoint();
    }
  }

  function moveByKey(event) {
    const shown = visible();
    const at = cursor === null ? shown.length - 1 : shown.findIndex(one => one.second === cursor);
    const to = {
      ArrowLeft: at - 1, ArrowRight: at + 1, ArrowDown: at - 1, ArrowUp: at + 1,
      PageDown: at - 10, PageUp: at + 10, Home: 0, End: shown.length - 1,
    }[event.key];
    if (event.key === 'Escape') {
      unpoint();
    } else if (to !== undefined && shown.length > 0) {
      event.preventDefault();
      cursor = shown[Math.min(Math.max(to, 0), shown.length - 1)].second;
      show();
    }
  }

  function start() {
    for (const choice of document.getElementsByName('range')) {
      choice.addEventListener('change', () => {
        range = Number(choice.value);
        show();
      });
      range = choice.checked ? Number(choice.value) : range;
    }
    $('chart').addEventListener('pointermove', pointAt);
    // A finger selects without moving, and leaves with each touch.
    $('chart').addEventListener('pointerdown', pointAt);
    $('chart').addEventListener('pointercancel', unpoint);
    $('chart').addEventListener('keydown', moveByKey);
    $('course').addEventListener('pointerleave', left);
    $('course').addEventListener('focusout', left);
    new ResizeObserver(() => read.detail !== null && show()).observe($('chart'));
  }

  return { start, show };
})();
