/*
 * How long requests and leases took: a table, and each row on one scale of tens.
 */
const FlexPoolTimes = (() => {
  const { $, element, write, number, duration, lastSpan } = FlexPoolWords;
  const { read } = FlexPoolReading;
  const { shape } = FlexPoolChart;
  let span = 'recent';

  function show() {
    const { detail } = read;
    const figures = detail.statistics[span];
    const failed = [['timeout', 'Timed out'], ['connect_failure', 'Connect failed'], ['interrupted', 'Interrupted'], ['rejected', 'Rejected'], ['error', 'Other failure']];
    const rows = [['Acquisition', figures.acquisition.ok]]
      .concat(failed.map(([outcome, label]) => [label, figures.acquisition[outcome]]).filter(([, row]) => row.count > 0))
      .concat([['Lease', figures.lease]], figures.connect ? [['Connect', figures.connect]] : []);
    write($('span-recent'), lastSpan(detail.statistics.recentWindowSeconds));
    const said = JSON.stringify(rows);
    if ($('times').dataset.said === said) {
      return;
    }
    $('times').dataset.said = said;
    const scale = logScale(rows.map(([, row]) => row).filter(row => row.count > 0));
    const body = $('times-table').tBodies[0];
    body.replaceChildren(...rows.map(([label, row]) => timesRow(label, row, scale)));
    const axis = $('times-axis');
    axis.replaceChildren(...(scale ? scale.decades.map(decade => {
      const at = scale.at(decade) * 100;
      const anchor = at < 8 ? 'start' : at > 92 ? 'end' : 'middle';
      return shape('text', { x: at.toFixed(2) + '%', y: 13, 'text-anchor': anchor }, tenth(decade));
    }) : []));
  }

  /** A power of ten in its unit: 100 s, not 1 min 40 s. */
  const tenth = millis => (millis < 1000 ? duration(millis).replace(/\.0+(?=\s)/, '') : number(millis / 1000) + '\u00a0s');

  function logScale(rows) {
    if (rows.length === 0) {
      return null;
    }
    const low = Math.floor(Math.log10(Math.max(0.001, Math.min(...rows.map(row => row.p50Millis)))));
    const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(0.01, ...rows.map(row => row.maxMillis)))));
    const at = millis => (Math.log10(Math.max(millis, 10 ** low)) - low) / (high - low);
    const every = Math.ceil((high - low) / 3);
    const decades = [];
    for (let power = low; power <= high; power += every) {
      decades.push(10 ** power);
    }
    return { at, decades };
  }

  function timesRow(label, row, scale) {
    const head = element('th', '', label);
    head.scope = 'row';
    const cells = [number(row.count), ...['p50Millis', 'p95Millis', 'p99Millis', 'maxMillis'].map(key => duration(row[key]))];
    const plot = element('td', 'plot');
    if (scale && row.count > 0) {
      const percent = key => (scale.at(row[key]) * 100).toFixed(2) + '%';
      const svg = shape('svg', { 'aria-hidden': 'true', focusable: 'false' });
      svg.append(
        shape('line', { class: 'grid', x1: 0, x2: '100%', y1: 9, y2: 9 }),
        shape('line', { class: 'span', x1: percent('p50Millis'), x2: percent('maxMillis'), y1: 9, y2: 9 }),
        shape('line', { class: 'tick', x1: percent('p95Millis'), x2: percent('p95Millis'), y1: 6, y2: 12 }),
        shape('line', { class: 'tick', x1: percent('p99Millis'), x2: percent('p99Millis'), y1: 4, y2: 14 }),
        shape('line', { class: 'end', x1: percent('maxMillis'), x2: percent('maxMillis'), y1: 4, y2: 14 }),
        shape('circle', { class: 'p50', cx: percent('p50Millis'), cy: 9, r: 4 }));
      plot.append(svg);
    }
    return element('tr', '', head, ...cells.map(text => element('td', '', text)), plot);
  }

  function start() {
    for (const choice of document.getElementsByName('span')) {
      choice.addEventListener('change', () => {
        span = choice.value;
        if (read.detail !== null) {
          show();
        }
      });
      span = choice.checked ? choice.value : span;
    }
  }

  return { start, show };
})();
