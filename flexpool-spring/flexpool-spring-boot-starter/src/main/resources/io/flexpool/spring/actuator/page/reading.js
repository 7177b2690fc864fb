/*
 * Reads the endpoint every second and keeps the answers. One reading at a time, none in a hidden tab and none while
 * the page is paused. Never writes.
 */
const FlexPoolReading = (() => {
  const POLL_MILLIS = 1000;
  const GIVE_UP_MILLIS = 5000;
  const KEEP_MILLIS = 15 * 60 * 1000;
  /* The page's path is the endpoint's path and /ui. */
  const endpoint = location.pathname.replace(/\/ui\/?$/, '');

  /* The answers. courses: the samples of each pool since the page was opened. */
  const read = {
    courses: new Map(),
    pools: [],
    selected: new URLSearchParams(location.hash.slice(1)).get('pool') || '',
    detail: null,
    serverTime: 0,
    lostSince: 0,
    paused: false,
  };
  let reachedAt = 0;
  let pausedAt = 0;
  let timer = 0;
  let underWay = null;
  let listener = { shown() {}, lost() {} };

  class Unanswered extends Error {}

  /* The answer is no longer needed. */
  class Interrupted extends Error {}

  async function get(query, reading) {
    const abort = new AbortController();
    reading.abort = abort;
    let late = false;
    const giveUp = setTimeout(() => {
      late = true;
      abort.abort();
    }, GIVE_UP_MILLIS);
    try {
      const answer = await fetch(endpoint + query, {
        headers: { Accept: 'application/json' },
        cache: 'no-store',
        credentials: 'same-origin',
        signal: abort.signal,
      });
      if (!answer.ok) {
        throw new Unanswered('it answers ' + answer.status);
      }
      if (!(answer.headers.get('content-type') || '').includes('json')) {
        throw new Unanswered('it does not answer in JSON; has the session ended?');
      }
      return await answer.json();
    } catch (failed) {
      throw failed instanceof Unanswered
        ? failed
        : new Unanswered(late ? 'no answer within ' + GIVE_UP_MILLIS / 1000 + ' s' : 'no connection');
    } finally {
      clearTimeout(giveUp);
      if (reading.interrupted) {
        throw new Interrupted();
      }
    }
  }

  /** Reads now and cancels a reading in progress. */
  function poll() {
    clearTimeout(timer);
    if (underWay) {
      interrupt(true);
      return;
    }
    underWay = { interrupted: false, again: false, abort: null };
    readAll(underWay);
  }

  function interrupt(again) {
    if (underWay) {
      underWay.interrupted = true;
      underWay.again = again;
      underWay.abort.abort();
    }
  }

  async function readAll(reading) {
    try {
      const list = await get('', reading);
      if (!list.pools.some(pool => pool.name === read.selected)) {
        read.selected = list.pools.length > 0 ? list.pools[0].name : '';
        read.detail = null;
      }
      const detail = read.selected === '' ? null : await get('?pool=' + encodeURIComponent(read.selected), reading);
      read.pools = list.pools;
      list.pools.forEach(pool => sample(pool, list.timeEpochMillis));
      read.detail = detail;
      read.serverTime = list.timeEpochMillis;
      read.lostSince = 0;
      reachedAt = pausedAt = performance.now();
      listener.shown();
    } catch (failed) {
      if (!(failed instanceof Interrupted)) {
        read.lostSince = read.lostSince || Date.now();
        listener.lost(failed instanceof Unanswered ? failed.message : String(failed));
      }
    } finally {
      underWay = null;
      if (reading.again) {
        poll();
      } else {
        pollLater();
      }
    }
  }

  function pollLater() {
    clearTimeout(timer);
    if (!read.paused && !document.hidden) {
      timer = setTimeout(poll, POLL_MILLIS);
    }
  }

  function sample(pool, time) {
    const course = read.courses.get(pool.name) || [];
    read.courses.set(pool.name, course);
    course.push({
      number: course.length === 0 ? 1 : course[course.length - 1].number + 1,
      time,
      active: pool.state.active,
      idle: pool.state.idle,
      pending: pool.state.pending,
      limit: pool.limits.limited ? pool.limits.limit : undefined,
      max: pool.limits.max,
    });
    while (course[0].time < time - KEEP_MILLIS) {
      course.shift();
    }
  }

  /** The application's clock, which is not this browser's; it stands while the page is paused. */
  const serverNow = () => read.serverTime + ((read.paused ? pausedAt : performance.now()) - reachedAt);

  const course = () => read.courses.get(read.selected) || [];

  function choose(name) {
    read.selected = name;
    read.detail = null;
    history.replaceState(null, '', '#pool=' + encodeURIComponent(name));
    poll();
  }

  /** Stops reading until resumed; a pool selected meanwhile is read once. */
  function pause(paused) {
    read.paused = paused;
    if (paused) {
      pausedAt = performance.now();
      clearTimeout(timer);
      interrupt(false);
    } else {
      poll();
    }
  }

  function start(newListener) {
    listener = newListener;
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) {
        clearTimeout(timer);
      } else if (!read.paused) {
        poll();
      }
    });
    poll();
  }

  return { read, start, choose, pause, serverNow, course };
})();
