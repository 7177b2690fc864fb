/*
 * How the pool is set up.
 */
const FlexPoolDetails = (() => {
  const { $, element, renew, upper } = FlexPoolWords;
  const { read } = FlexPoolReading;

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

  return { showSetup };
})();
