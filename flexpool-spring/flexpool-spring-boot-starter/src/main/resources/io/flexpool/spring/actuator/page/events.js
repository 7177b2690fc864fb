/*
 * The events, newest first: events that belong together are one entry.
 */
const FlexPoolEvents = (() => {
  const { $, element, write, renew, number, duration, plural, upper } = FlexPoolWords;
  const { read } = FlexPoolReading;
  const { shape, clock, mark } = FlexPoolChart;

  const shrinks = event => event.to < event.from;

  const KINDS = {
    resized: event => (shrinks(event) ? 'Limit lowered' : 'Limit raised'),
    timeout: () => 'Timeout',
    'connect-failure': () => 'Connect failure',
    rejected: () => 'Rejected',
    circuit: event => ({ open: 'Circuit open', 'half-open': 'Circuit half open' })[event.phase] || 'Circuit closed',
    'slow-acquisition': () => 'Slow acquisition',
    'long-lease': () => 'Long lease',
    'leak-suspected': () => 'Leak suspected',
    'leak-resolved': event => (event.reclaimed ? 'Leak ended: reclaimed' : 'Leak ended: returned'),
    'nested-acquisition': () => 'Nested acquisition',
    'growth-refused': () => 'Growth refused',
    lifecycle: event => upper(String(event.action).replace('-', ' ')),
    part: event => upper(String(event.name).replaceAll('-', ' ')),
  };
  const word = event => (KINDS[event.kind] ? KINDS[event.kind](event) : upper(String(event.kind)));
  const lastTime = event => event.lastTimeEpochMillis || event.timeEpochMillis;

  /** The event's sentence without the pool's name. */
  function plain(event) {
    let text = String(event.summary || event.text);
    const start = read.detail.name + ': ';
    text = text.startsWith(start) ? text.slice(start.length) : text;
    return upper(text);
  }

  /** Why, in words: from one of the events, or from the last report if it belongs to one of them. */
  function cause(span) {
    const report = read.detail.lastTimeout;
    const made = report && report.timeEpochMillis;
    const mine = ['timeout', 'connect-failure'].includes(span.first.kind)
      && made >= span.first.timeEpochMillis && made <= lastTime(span.last) + 1000;
    const words = mine ? report.causeInWords : span.detailed.explained;
    return words ? ': ' + words : '';
  }

  /** Whether an event continues another: a failure for the same reason, or the limit moving in the same direction. */
  function goesOn(before, event) {
    if (before.kind !== event.kind || event.kind === 'circuit' || event.timeEpochMillis - lastTime(before) >= 5000) {
      return false;
    }
    return event.kind === 'resized'
      ? before.cause === event.cause && before.to === event.from && shrinks(before) === shrinks(event)
      : before.reason === event.reason && before.callSite === event.callSite;
  }

  /** Merges similar events that follow each other closely. Newest first. */
  function spans(events) {
    const all = [];
    // Sizing decisions have their own section.
    for (const event of events.filter(one => one.kind !== 'sizing-decided')) {
      const open = all[0];
      if (open && goesOn(open.last, event)) {
        open.last = event;
        open.count += event.count;
        open.longest = Math.max(open.longest || 0, event.longestMillis || 0);
      } else {
        all.unshift({ first: event, last: event, count: event.count, longest: event.longestMillis });
      }
      // Only one of them carries the explanation.
      all[0].detailed = event.summary || !all[0].detailed ? event : all[0].detailed;
    }
    return all;
  }

  function show() {
    const { detail } = read;
    const events = detail.events || [];
    const list = $('timeline');
    const said = detail.name + '\n' + events.map(event => event.number + '×' + event.count).join() + (detail.lastTimeout ? detail.lastTimeout.number : '');
    renew(list, said, () => spans(events).map(eventItem));
    $('events-none').hidden = events.length > 0;
    write($('events-none'), detail.events ? 'No events yet: resizes, timeouts and outages appear here.' : 'Code of the application has wrapped this pool: the events of the pool are not kept here.');
    const forgotten = detail.eventsForgotten > 0;
    $('events-forgotten').hidden = !forgotten;
    write($('events-forgotten'), forgotten ? plural(detail.eventsForgotten, 'earlier event is', 'earlier events are') + ' not kept.' : '');
  }

  /** A link to the report of this event, if the page shows it. */
  function reported(span) {
    const last = read.detail.lastTimeout;
    if (!last || span.detailed.report !== last.number) {
      return [];
    }
    const link = element('button', 'more', 'Report ' + last.number);
    link.type = 'button';
    link.addEventListener('click', () => document.getElementById('explained').scrollIntoView());
    return [' ', link];
  }

  function eventItem(span) {
    const { first, last } = span;
    const sign = shape('svg', { viewBox: '-6 -6 12 12', 'aria-hidden': 'true', focusable: 'false' });
    sign.append(shape('path', { class: 'mark ' + first.kind, d: mark(first) }));
    const from = clock(first.timeEpochMillis);
    const to = clock(lastTime(last));
    const when = element('time', 'when', from === to ? from : from + ' – ' + to);
    when.dateTime = new Date(first.timeEpochMillis).toISOString();
    const longest = span.count > 1 && span.longest > 0 ? ', the longest ' + duration(span.longest) : '';
    const kind = word(first) + (span.count > 1 ? ' × ' + number(span.count) : '');
    const moved = first.kind === 'resized' ? first.from + ' → ' + last.to + ', ' + plain(last).replace(/^.*?-> \d+: /, '') : plain(span.detailed) + cause(span);
    const item = element('li', '', sign, element('p', '', element('span', 'kind', kind), when, element('span', 'when', longest), ...reported(span)), element('p', 'text', moved));
    item.classList.add(first.kind);
    return item;
  }

  return { show, spans, plain, lastTime };
})();
