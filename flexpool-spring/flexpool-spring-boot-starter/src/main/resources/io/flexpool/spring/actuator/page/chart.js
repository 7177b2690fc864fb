/*
 * Draws the figures of one pool over time as steps: each value holds for an interval. A line is interrupted where
 * intervals are missing. Independent of the page around it.
 */
const FlexPoolChart = (() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const GAP_MILLIS = 4000;
  const LEFT = 36;
  const RIGHT = 10;

  /** An SVG element; text is set as text. */
  function shape(name, attributes, text) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes || {})) {
      made.setAttribute(key, value);
    }
    if (text !== undefined) {
      made.textContent = text;
    }
    return made;
  }

  const two = number => String(number).padStart(2, '0');

  /** A time as 14:03:12, by this browser's clock. */
  function clock(millis, seconds = true) {
    const time = new Date(millis);
    const minutes = two(time.getHours()) + ':' + two(time.getMinutes());
    return seconds ? minutes + ':' + two(time.getSeconds()) : minutes;
  }

  /** Ticks from 0 to a round number that is not below the highest value: at most five, all whole. */
  function ticks(highest, atMost) {
    let step = 1;
    for (let power = 1; ; power *= 10) {
      const fits = [1, 2, 5].map(factor => factor * power).find(wide => highest <= wide * atMost);
      if (fits) {
        step = fits;
        break;
      }
    }
    const top = Math.max(step * Math.ceil(highest / step), step * 2);
    const all = [];
    for (let at = 0; at <= top; at += step) {
      all.push(at);
    }
    return all;
  }

  const end = sample => sample.time + sample.seconds * 1000;

  /** The parts of a series between its gaps. */
  function runs(samples, key) {
    const all = [];
    let run = null;
    let before = 0;
    for (const sample of samples) {
      const value = sample[key];
      if (value === undefined) {
        run = null;
        continue;
      }
      if (run === null || sample.time - before > GAP_MILLIS) {
        run = { points: [] };
        all.push(run);
      }
      run.points.push([sample.time, value]);
      before = run.end = end(sample);
    }
    return all;
  }

  function steps(run, x, y) {
    let path = '';
    let last;
    for (const [time, value] of run.points) {
      if (path === '') {
        path = 'M' + x(time) + ' ' + y(value) + 'h0';
      } else if (value !== last) {
        path += 'H' + x(time) + 'V' + y(value);
      }
      last = value;
    }
    return path + 'H' + x(run.end);
  }

  const MARKS = {
    up: 'M-4 3.5 0 -4 4 3.5Z',
    down: 'M-4 -3.5 0 4 4 -3.5Z',
    cross: 'M-4 -2.5 -2.5 -4 0 -1.5 2.5 -4 4 -2.5 1.5 0 4 2.5 2.5 4 0 1.5 -2.5 4 -4 2.5 -1.5 0Z',
    square: 'M-3.5 -3.5H3.5V3.5H-3.5Z',
    diamond: 'M0 -4.5 4.5 0 0 4.5 -4.5 0Z',
    ring: 'M0 -3.5A3.5 3.5 0 1 1 -0.01 -3.5ZM0 -1.5A1.5 1.5 0 1 0 0.01 -1.5Z',
  };

  /** The sign of an event: its shape carries the same meaning as its colour. */
  function mark(event) {
    const moved = event.to === event.from ? 'ring' : event.to < event.from ? 'down' : 'up';
    const sign = {
      resized: moved, sizing: moved,
      timeout: 'cross',
      'connect-failure': 'square',
      circuit: 'diamond', rejected: 'diamond',
    }[event.kind] || 'ring';
    return MARKS[sign];
  }

  const X_STEPS = [[60000, 15000], [300000, 60000], [900000, 180000], [3600000, 600000]];

  function timeTicks(from, to, narrow) {
    const span = to - from;
    let step = (X_STEPS.find(([most]) => span <= most) || X_STEPS[X_STEPS.length - 1])[1];
    if (narrow) {
      step *= 2;
    }
    const all = [];
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
      all.push(at);
    }
    return { all, seconds: step < 60000 };
  }

  /**
   * Draws into an svg element.
   *
   * width, height: pixels; from, to: milliseconds; samples: {time, seconds, …}; series: {key, area}; unit: words above the axis;
   * marks: {kind, time, until, title, …}; cursor: milliseconds or null; times: whether the axis below has words; least: what the
   * axis reaches at least; lines: most ticks.
   */
  function draw(svg, what) {
    const { width, height, from, to } = what;
    const top = 26;
    const bottom = height - (what.times ? 20 : 6);
    const right = width - RIGHT;
    const x = time => +(LEFT + ((Math.min(Math.max(time, from), to) - from) / (to - from)) * (right - LEFT)).toFixed(1);
    const seen = what.samples.filter(sample => end(sample) > from);
    let highest = what.least;
    for (const { key } of what.series) {
      for (const sample of seen) {
        highest = Math.max(highest, sample[key] === undefined ? 0 : sample[key]);
      }
    }
    const values = ticks(highest, what.lines);
    const most = values[values.length - 1];
    const y = value => +(bottom - (value / most) * (bottom - top)).toFixed(1);
    const drawn = [];
    for (const value of values) {
      drawn.push(shape('line', { class: value === 0 ? 'axis' : 'grid', x1: LEFT, x2: right, y1: y(value), y2: y(value) }));
      drawn.push(shape('text', { x: LEFT - 7, y: y(value) + 4, 'text-anchor': 'end' }, String(value)));
    }
    drawn.push(shape('text', { x: 0, y: 11 }, what.unit));
    const narrow = width < 520;
    const below = timeTicks(from, to, narrow);
    for (const time of below.all) {
      drawn.push(shape('line', { class: 'grid', x1: x(time), x2: x(time), y1: top, y2: bottom }));
      if (what.times && x(time) > LEFT + 12 && x(time) < right - 12) {
        drawn.push(shape('text', { x: x(time), y: height - 5, 'text-anchor': 'middle' }, clock(time, below.seconds)));
      }
    }
    for (const event of what.marks) {
      if (event.until >= from && event.time <= to) {
        if (event.until - event.time > 1000) {
          const wide = x(event.until) - x(event.time);
          drawn.push(shape('rect', { class: 'mark-band ' + event.kind, x: x(event.time), y: top, width: wide, height: bottom - top }));
        }
        drawn.push(shape('line', { class: 'mark-line ' + event.kind, x1: x(event.time), x2: x(event.time), y1: top, y2: bottom }));
        const sign = shape('path', { class: 'mark ' + event.kind, d: mark(event), transform: 'translate(' + x(event.time) + ' 18)' });
        sign.append(shape('title', {}, event.title));
        drawn.push(sign);
      }
    }
    for (const { key, area } of what.series) {
      const parts = runs(seen, key);
      if (area) {
        const d = parts.map(run => steps(run, x, y) + 'V' + y(0) + 'H' + x(run.points[0][0]) + 'Z').join('');
        drawn.push(shape('path', { class: key + '-area', d }));
      }
      drawn.push(shape('path', { class: 'line ' + key, d: parts.map(run => steps(run, x, y)).join('') }));
    }
    if (what.cursor) {
      const at = x(what.cursor.time);
      drawn.push(shape('line', { class: 'cursor', x1: at, x2: at, y1: top, y2: bottom }));
      for (const { key } of what.series) {
        if (what.cursor[key] !== undefined) {
          drawn.push(shape('circle', { class: 'dot ' + key, cx: at, cy: y(what.cursor[key]), r: 3 }));
        }
      }
    }
    svg.setAttribute('width', width);
    svg.setAttribute('height', height);
    svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
    svg.replaceChildren(...drawn);
  }

  /** The time at a place of the chart. */
  function timeAt(place, width, from, to) {
    const share = (place - LEFT) / (width - RIGHT - LEFT);
    return from + Math.min(Math.max(share, 0), 1) * (to - from);
  }

  return { shape, clock, draw, mark, timeAt };
})();
