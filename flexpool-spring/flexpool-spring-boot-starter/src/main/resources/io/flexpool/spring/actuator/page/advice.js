/*
 * How many connections the pool needs: one paragraph, and what requests would have waited with other sizes, as a curve and as
 * a table, which says the same without a picture.
 */
const FlexPoolAdvice = (() => {
  const { $, element, write, renew, number, digits, duration } = FlexPoolWords;
  const { read } = FlexPoolReading;
  const { shape } = FlexPoolChart;
  const HEIGHT = 214;
  const LEFT = 52;
  const RIGHT = 10;
  const TOP = 40;
  const BOTTOM = 180;
  /** A shorter wait is not noticed: there the scale ends. */
  const LEAST = 0.1;

  const share = point => (point.timedOutShare === 0 ? 'none' : digits(100 * point.timedOutShare) + ' %');

  /** An advice that knows no size has today's, which is not recommended. */
  const knowsSize = advice => advice.verdict !== 'unknown';

  function row(point, advice) {
    const signs = [...(knowsSize(advice) ? [['recommended', advice.connections]] : []), ['current', advice.current]].filter(([, size]) => size === point.connections);
    const head = element('th', '', number(point.connections) + signs.map(([sign]) => ', ' + sign).join(''));
    head.scope = 'row';
    const cells = [duration(point.p50Millis), duration(point.p99Millis), duration(point.p999Millis), share(point)];
    return element('tr', '', head, ...cells.map(text => element('td', '', text)));
  }

  /** A line at a size, with its word to the side that has room. */
  function size(connections, word, x, y, middle) {
    const left = x(connections) > middle;
    return [
      shape('line', { class: 'advice-size ' + word, x1: x(connections), x2: x(connections), y1: y - 9, y2: BOTTOM }),
      shape('text', { x: x(connections) + (left ? -5 : 5), y, 'text-anchor': left ? 'end' : 'start' }, word + ' ' + connections),
    ];
  }

  function curve(advice, width) {
    const { curve: points } = advice;
    const most = Math.max(2, ...points.map(point => point.connections));
    const slowest = Math.max(10 * LEAST, advice.waitTargetMillis, ...points.map(point => point.p99Millis));
    const right = width - RIGHT;
    const x = connections => +(LEFT + ((connections - 1) / (most - 1)) * (right - LEFT)).toFixed(1);
    const y = millis => +(BOTTOM - (Math.log10(Math.max(LEAST, millis) / LEAST) / Math.log10(slowest / LEAST)) * (BOTTOM - TOP)).toFixed(1);
    const drawn = [shape('text', { x: 0, y: 11 }, 'p99 wait')];
    for (let millis = LEAST; millis <= slowest * 1.001; millis *= 10) {
      drawn.push(shape('line', { class: 'grid', x1: LEFT, x2: right, y1: y(millis), y2: y(millis) }));
      drawn.push(shape('text', { x: LEFT - 7, y: y(millis) + 4, 'text-anchor': 'end' }, duration(millis).replace(/\.0+(?=\s)/, '')));
    }
    const every = [1, 2, 5, 10, 20, 50, 100, 200, 500].find(step => most / step <= 8) || 1000;
    for (let at = every; at <= most; at += every) {
      drawn.push(shape('text', { x: x(at), y: HEIGHT - 18, 'text-anchor': 'middle' }, String(at)));
    }
    drawn.push(shape('text', { x: right, y: HEIGHT - 4, 'text-anchor': 'end' }, 'connections'));
    const target = y(advice.waitTargetMillis);
    drawn.push(shape('line', { class: 'advice-target', x1: LEFT, x2: right, y1: target, y2: target }));
    drawn.push(shape('text', { x: right, y: target - 4, 'text-anchor': 'end' }, 'target ' + duration(advice.waitTargetMillis)));
    if (knowsSize(advice)) {
      drawn.push(...size(advice.connections, 'recommended', x, 22, width / 2));
    }
    if (!knowsSize(advice) || advice.current !== advice.connections) {
      drawn.push(...size(advice.current, 'current', x, 36, width / 2));
    }
    const d = points.map((point, at) => (at === 0 ? 'M' : 'L') + x(point.connections) + ' ' + y(point.p99Millis)).join('');
    drawn.push(shape('path', { class: 'line active', d }));
    return drawn;
  }

  function draw(advice) {
    const svg = $('advice-curve');
    const width = Math.max(240, svg.parentElement.clientWidth);
    renew(svg, width + JSON.stringify(advice), () => curve(advice, width));
    svg.setAttribute('width', width);
    svg.setAttribute('height', HEIGHT);
    svg.setAttribute('viewBox', '0 0 ' + width + ' ' + HEIGHT);
  }

  function show() {
    const advice = read.detail.advice || {};
    const ready = Array.isArray(advice.curve);
    $('advice').hidden = !ready;
    write($('advice-text'), String(advice.text));
    $('advice-shown').hidden = !ready;
    if (ready) {
      draw(advice);
      renew($('advice-table').tBodies[0], JSON.stringify(advice), () => advice.curve.map(point => row(point, advice)));
    }
  }

  return { show };
})();
