/*
 * How the pool is set up.
 */
const FlexPoolDetails = (() => {
  const { $, element, renew, upper, number } = FlexPoolWords;
  const { read } = FlexPoolReading;
  const { clock } = FlexPoolChart;

  const CAPABILITIES = {
    'live-resize': 'the max can be changed at run time',
    wake: 'opens connections on demand for waiting requests',
    'exact-trim': 'can evict exactly the surplus connections',
    'physical-follows-limit': 'evicts idle connections when the limit falls',
    'per-call-timeout': 'a timeout per request is possible',
    'pending-count': 'reports pending requests',
    'connect-time': 'reports connect times',
    evict: 'can close all idle connections at once',
    'evict-leased': 'can close leased connections when they are returned',
  };

  /** How often growth was refused for one reason, when last, and what would change it. */
  function refused({ count, words, key, lastEpochMillis }) {
    return number(count) + ' times: ' + words + (key ? ' (' + key + ')' : '') + ', last at ' + clock(lastEpochMillis);
  }

  function showSetup() {
    const { detail } = read;
    const [controller] = detail.actors;
    const rows = [
      ['Sizing', controller ? [upper(controller)] : [], 'no sizing controller'],
      ['Strategies', detail.strategies.map(upper), 'none: the pool behaves as without flexpool'],
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
