/*
 * The figures of the selected pool over time, and the moment selected in the chart.
 */
const FlexPoolCourse = (() => {
  const { $, element, write, renew, number } = FlexPoolWords;
  const { read, serverNow, course } = FlexPoolReading;
  const { clock, draw, timeAt } = FlexPoolChart;
  const { spans, plain, lastTime } = FlexPoolEvents;
  const CONNECTIONS = [{ key: 'active', area: true }, { key: 'idle' }, { key: 'max' }, { key: 'limit' }];
  const PENDING = [{ key: 'pending', area: true }];
  let range = 300000;
  let cursor = null;

  function show() {
    const to = serverNow();
    const from = to - range;
    const width = Math.max(240, Math.floor($('chart').clientWidth));
    const { detail } = read;
    const events = spans((detail && detail.events) || []).filter(({ first }) => !FlexPoolSizing.isDecision(first));
    const marks = (detail ? FlexPoolSizing.marks() : []).concat(events.map(({ first, last, detailed }) => ({
      kind: first.kind,
      from: first.from,
      to: first.to,
      time: first.timeEpochMillis,
      // The limit's own line shows how long a change lasted.
      until: first.kind === 'resized' ? first.timeEpochMillis : lastTime(last),
      title: clock(first.timeEpochMillis) + ' ' + plain(detailed),
    })));
    if (cursor && (cursor.time < from || !course().includes(cursor))) {
      cursor = null;
    }
    const common = { width, from, to, samples: course(), cursor };
    draw($('chart-connections'), { ...common, height: width < 520 ? 200 : 250, series: CONNECTIONS, unit: 'connections', marks, times: false, least: 2, lines: 5 });
    draw($('chart-pending'), { ...common, height: 124, series: PENDING, unit: 'requests pending', marks: [], times: true, least: 2, lines: 3 });
    showLegend();
    const since = course().length === 0 ? '' : clock(course()[0].time);
    write($('course-note'), 'Sampled every second since this page was opened' + (since ? ', at ' + since : '') + '. A line ends where nothing was read.');
  }

  function showLegend() {
    const shown = cursor || course()[course().length - 1];
    const parts = !shown
      ? []
      : [['At', clock(shown.time)]].concat(
          [['active', 'active'], ['idle', 'idle'], ['pending', 'pending'], ['limit', 'limit'], ['max', 'pool max']]
            .filter(([key]) => shown[key] !== undefined)
            .map(([key, label]) => [label, number(shown[key])]));
    const text = parts.map(part => part.join(' ')).join(', ');
    renew($('legend'), text, () => parts.map(([label, value]) => element('li', '', label + ' ', element('b', '', value))));
    const chart = $('chart');
    // While the chart has the focus, only the user changes its value, not the clock.
    if (shown && (cursor || document.activeElement !== chart)) {
      chart.setAttribute('aria-valuemin', String(course()[0].number));
      chart.setAttribute('aria-valuemax', String(course()[course().length - 1].number));
      chart.setAttribute('aria-valuenow', String(shown.number));
      chart.setAttribute('aria-valuetext', text);
    }
  }

  const visible = () => course().filter(one => one.time >= serverNow() - range);

  function pointAt(event) {
    const box = $('chart').getBoundingClientRect();
    const to = serverNow();
    const time = timeAt(event.clientX - box.left, box.width, to - range, to);
    cursor = visible().reduce((best, one) => (!best || Math.abs(one.time - time) < Math.abs(best.time - time) ? one : best), null);
    show();
  }

  function unpoint() {
    cursor = null;
    show();
  }

  function moveByKey(event) {
    const shown = visible();
    const at = cursor ? shown.indexOf(cursor) : shown.length - 1;
    const to = {
      ArrowLeft: at - 1, ArrowRight: at + 1, ArrowDown: at - 1, ArrowUp: at + 1,
      PageDown: at - 10, PageUp: at + 10, Home: 0, End: shown.length - 1,
    }[event.key];
    if (event.key === 'Escape') {
      unpoint();
    } else if (to !== undefined && shown.length > 0) {
      event.preventDefault();
      cursor = shown[Math.min(Math.max(to, 0), shown.length - 1)];
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
    $('chart').addEventListener('pointerleave', unpoint);
    $('chart').addEventListener('keydown', moveByKey);
    $('chart').addEventListener('blur', unpoint);
    new ResizeObserver(() => read.detail !== null && show()).observe($('chart'));
  }

  return { start, show };
})();
