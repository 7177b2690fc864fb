/*
 * How the pool is set up.
 */
const FlexPoolDetails = (() => {
  const { $, element, renew, upper } = FlexPoolWords;
  const { read } = FlexPoolReading;

  const CAPABILITIES = {
    'live-resize': 'its max can be changed while it runs',
    wake: 'it can be made to open connections for waiting requests',
    'exact-trim': 'surplus connections can be closed exactly',
    'physical-follows-limit': 'open connections follow the limit down',
    'per-call-timeout': 'each request can have a timeout of its own',
    'pending-count': 'it reports its pending requests',
    'connect-time': 'it reports connect times',
  };

  function showSetup() {
    const { detail } = read;
    const rows = [
      ['Strategies', detail.strategies.map(upper), 'none: the pool queues and fails as without flexpool'],
      ['Capabilities', detail.capabilities.map(one => upper(CAPABILITIES[one] || one)), 'none of the optional capabilities'],
    ];
    renew($('setup-list'), JSON.stringify(rows), () => rows.flatMap(([label, lines, none]) => [
      element('dt', '', label),
      element('dd', '', lines.length === 0 ? upper(none) : element('ul', '', ...lines.map(line => element('li', '', line)))),
    ]));
  }

  return { showSetup };
})();
