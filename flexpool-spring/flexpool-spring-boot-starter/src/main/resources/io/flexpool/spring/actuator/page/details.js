/*
 * How the pool is set up, and a place for what the endpoint may tell one day: shown as soon as it does.
 */
const FlexPoolDetails = (() => {
  const { UNKNOWN, $, element, renew, number, duration, upper } = FlexPoolWords;
  const { read } = FlexPoolReading;
  const { clock } = FlexPoolChart;

  const CAPABILITIES = {
    'live-resize': 'its max can be moved while it runs',
    wake: 'it can be told to open connections for those who wait',
    'exact-trim': 'surplus connections can be closed exactly',
    'physical-follows-limit': 'open connections follow the limit down',
    'per-call-timeout': 'each request can have a timeout of its own',
    'pending-count': 'it tells how many requests wait in it',
    'connect-time': 'it tells how long connects take',
  };

  function showSetup() {
    const { detail } = read;
    const rows = [
      ['Strategies', detail.strategies.map(upper), 'none: the pool queues and fails as it always did'],
      ['This kind of pool', detail.capabilities.map(one => upper(CAPABILITIES[one] || one)), 'tells and allows nothing'],
    ];
    renew($('setup-list'), JSON.stringify(rows), () => rows.flatMap(([label, lines, none]) => [
      element('dt', '', label),
      element('dd', '', lines.length === 0 ? upper(none) : element('ul', '', ...lines.map(line => element('li', '', line)))),
    ]));
  }

  function showLater() {
    const { detail } = read;
    const rows = Array.isArray(detail.decisions) ? detail.decisions : [];
    $('decisions').hidden = rows.length === 0;
    renew($('decisions').querySelector('.body'), JSON.stringify(rows), () => (rows.length > 0 ? [table(rows)] : []));
  }

  function table(rows) {
    const keys = [...new Set(rows.flatMap(row => Object.keys(row)))];
    const label = key => upper(key.replace(/(EpochMillis|Millis)$/, '').replace(/([A-Z])/g, ' $1').toLowerCase());
    const numeric = key => rows.every(row => row[key] === undefined || typeof row[key] === 'number');
    const heads = keys.map(key => {
      const head = element('th', numeric(key) ? 'number' : '', label(key));
      head.scope = 'col';
      return head;
    });
    const lines = rows.map(row => element('tr', '', ...keys.map(key => {
      const shown = element('td', numeric(key) ? 'number' : '', element('span', '', cell(key, row[key])));
      shown.dataset.label = label(key);
      return shown;
    })));
    return element('table', '', element('thead', '', element('tr', '', ...heads)), element('tbody', '', ...lines));
  }

  function cell(key, value) {
    if (value === undefined || value === null) {
      return UNKNOWN;
    }
    if (typeof value === 'number') {
      return key.endsWith('EpochMillis') ? clock(value) : key.endsWith('Millis') ? duration(value) : number(value);
    }
    return typeof value === 'object' ? JSON.stringify(value) : typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
  }

  return { showSetup, showLater };
})();
