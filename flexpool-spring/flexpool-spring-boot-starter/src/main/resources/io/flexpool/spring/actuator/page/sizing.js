/*
 * The sizing mode and the sizing decisions, newest first: a step and its outcome are one entry, and so is a
 * gradual way back.
 */
const FlexPoolSizing = (() => {
  const { $, element, write, renew, number, plural, upper } = FlexPoolWords;
  const { read } = FlexPoolReading;
  const { shape, clock, mark } = FlexPoolChart;
  const FEW = 8;
  let whole = false;

  const MODES = {
    monitor: 'Mode monitor: flexpool only measures, and the pool keeps its own size.',
    recommend: 'Mode recommend: the controller changes nothing. When requests wait, it reports the cause and an unverified first step.',
    adapt: 'Mode adapt: the controller changes the limit, and reverts each step that does not help.',
  };
  const VERDICTS = {
    pending: 'being tried',
    unverified: 'unverified',
    served: 'kept, no request waits',
    proven: 'kept, proven',
    reverted: 'reverted',
    abandoned: 'abandoned',
  };

  const all = () => read.detail.decisions || [];

  /** Whether a decision continues the one before: its outcome, or the next step of the same way back. */
  function goesOn(before, decision) {
    return before.number === decision.number
      || (before.cause === 'calm' && decision.cause === 'calm' && before.to === decision.from
        && before.to < before.from && decision.to < decision.from);
  }

  /** Newest first. */
  function steps() {
    const found = [];
    for (const decision of all()) {
      if (found.length > 0 && goesOn(found[0][found[0].length - 1], decision)) {
        found[0].push(decision);
      } else {
        found.unshift([decision]);
      }
    }
    return found;
  }

  const isCalm = step => step.length > 1 && step[0].cause === 'calm';

  /** From where to where. */
  function way(step) {
    const [first] = step;
    const last = step[step.length - 1];
    const to = isCalm(step) ? last.to : last.tried;
    if (first.outcome === 'reported') {
      return first.from === to ? 'Limit ' + first.from + ' is too low' : 'Would try ' + first.from + ' → ' + to;
    }
    return first.from === to ? 'Limit stays at ' + to : 'Limit ' + first.from + ' → ' + to;
  }

  function words(step, newest) {
    const last = step[step.length - 1];
    const cause = String(step[0].cause).replaceAll('-', ' ') + (isCalm(step) ? ' × ' + number(step.length) : '');
    if (last.outcome === 'refused') {
      return cause + ', not done';
    }
    // A switch to another mode drops the pending verdict.
    const unjudged = last.verdict === 'pending' && !(newest && read.detail.mode === 'adapt');
    return cause + (last.verdict === 'none' ? '' : ', ' + (unjudged ? 'effect unknown' : VERDICTS[last.verdict] || last.verdict));
  }

  function item(step, at) {
    const [first] = step;
    const last = step[step.length - 1];
    const sign = shape('svg', { viewBox: '-6 -6 12 12', 'aria-hidden': 'true', focusable: 'false' });
    sign.append(shape('path', { class: 'mark sizing', d: mark({ kind: 'sizing', from: first.from, to: isCalm(step) ? last.to : first.tried }) }));
    const [from, to] = [clock(first.timeEpochMillis), clock(last.timeEpochMillis)];
    const when = element('time', 'when', from === to ? from : from + ' – ' + to);
    when.dateTime = new Date(first.timeEpochMillis).toISOString();
    const shown = isCalm(step) ? [last] : step;
    const head = element('p', '', element('span', 'kind', way(step)), element('span', 'verdict', words(step, at === 0)), when);
    const made = element('li', '', sign, head, ...shown.map(one => element('p', 'text', upper(String(one.text)) + '.')));
    made.dataset.verdict = last.verdict;
    return made;
  }

  function show() {
    const { detail } = read;
    $('decisions').hidden = !detail.enabled || all().length === 0;
    write($('mode'), MODES[detail.mode] || upper(String(detail.mode)));
    const rows = steps();
    const shown = whole ? rows : rows.slice(0, FEW);
    const said = detail.name + ' ' + detail.mode + '\n' + shown.map(step => step.map(one => one.number + one.verdict + one.timeEpochMillis).join()).join('\n');
    renew($('sizing'), said, () => shown.map(item));
    const more = $('decisions').querySelector('.more');
    more.hidden = rows.length <= FEW;
    more.setAttribute('aria-expanded', String(whole));
    write(more, whole ? 'Show ' + FEW : 'Show all ' + number(rows.length));
    const left = detail.decisionsLeftOut > 0 ? plural(detail.decisionsLeftOut, 'earlier decision is', 'earlier decisions are') + ' not shown here.' : '';
    write($('sizing-note'), left);
  }

  /** For the chart: the decisions that moved the limit, and those not carried out. */
  function marks() {
    return all().filter(one => one.verdict !== 'served' && one.verdict !== 'proven').map(one => ({
      kind: 'sizing',
      from: one.from,
      to: one.to,
      time: one.timeEpochMillis,
      until: one.timeEpochMillis,
      title: clock(one.timeEpochMillis) + ' ' + upper(String(one.text)),
    }));
  }

  /** Whether a change of the limit is a sizing decision, which has more details. */
  const isDecision = event => event.kind === 'resized' && event.cause === 'sizing'
    && all().length > 0 && event.timeEpochMillis >= all()[0].timeEpochMillis - 1000;

  function start() {
    $('decisions').querySelector('.more').addEventListener('click', () => {
      whole = !whole;
      show();
    });
  }

  return { start, show, marks, isDecision };
})();
