/*
 * How the pool is set up.
 */
const FlexPoolDetails = (() => {
  const { $, element, renew, upper, number } = FlexPoolWords;
  const { read } = FlexPoolReading;
  const { clock } = FlexPoolChart;

  const CAPABILITIES = {
    'live-resize': 'its max can be changed while it runs',
    wake: 'it can be made to open connections for waiting requests',
    'exact-trim': 'surplus connections can be closed exactly',
    'physical-follows-limit': 'open connections follow the limit down',
    'per-call-timeout': 'each request can have a timeout of its own',
    'pending-count': 'it reports its pending requests',
    'connect-time': 'it reports connect times',
  };

  /** How often growth was refused for one reason, when last, and what would change it. */
  function refused({ count, words, key, lastEpochMillis }) {
    return number(count) + ' times: ' + words + (key ? ' (' + key + ')' : '') + ', last at ' + clock(lastEpochMillis);
  }

  function showSetup() {
    const { detail } = read;
    const [controller] = detail.actors;
    const rows = [
      ['Sizing', controller ? [upper(controller)] : [], 'nothing sizes this pool'],
      ['Strategies', detail.strategies.map(upper), 'none: the pool queues and fails as without flexpool'],
      ['Capabilities', detail.capabilities.map(one => upper(CAPABILITIES[one] || one)), 'none of the optional capabilities'],
      ['Growth refused', detail.growthsRefused.map(refused), 'never'],
    ];
    renew($('setup-list'), JSON.stringify(rows), () => rows.flatMap(([label, lines, none]) => [
      element('dt', '', label),
      element('dd', '', lines.length === 0 ? upper(none) : element('ul', '', ...lines.map(line => element('li', '', line)))),
    ]));
  }

  return { showSetup };
})();
