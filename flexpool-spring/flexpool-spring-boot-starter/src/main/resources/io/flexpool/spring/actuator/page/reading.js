/*
 * Reads the endpoint every second and keeps the answers. One reading at a time, none in a hidden tab and none while
 * the page is paused. Never writes. The application remembers the last hour: of the selected pool all of it is read once,
 * and then what is new.
 */
const FlexPoolReading = (() => {
  const POLL_MILLIS = 1000;
  const GIVE_UP_MILLIS = 5000;
  const KEEP_SECONDS = 3600;
  /* If the pool's start has moved by more, it is another pool, or the clock was set. */
  const SAME_MILLIS = 5000;
  const FIGURES = ['active', 'idle', 'pending', 'limit', 'max', 'ok', 'timeout', 'connect_failure', 'interrupted', 'rejected', 'error'];
  /* The page's path is the endpoint's path and /ui. */
  const endpoint = location.pathname.replace(/\/ui\/?$/, '');

  function hash() {
    return new URLSearchParams(location.hash.slice(1));
  }

  /* The answers. courses: what is known of each pool's last hour. */
  const read = {
    courses: new Map(),
    pools: [],
    selected: hash().get('pool') || '',
    /* The moment that the page's address names, by the application's clock; 0 for none. */
    moment: Number(hash().get('t')) || 0,
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
        throw new Unanswered('HTTP status ' + answer.status);
      }
      if (!(answer.headers.get('content-type') || '').includes('json')) {
        throw new Unanswered('the answer is not JSON. If your session has ended, sign in again.');
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
      const query = '?pool=' + encodeURIComponent(read.selected) + '&history=' + known();
      const detail = read.selected === '' ? null : await get(query, reading);
      read.pools = list.pools;
      if (detail !== null) {
        remember(detail);
      }
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

  /** The second up to which the selected pool's history is known: the last one may not have ended when it was read. */
  function known() {
    const all = course();
    return all.length === 0 ? 0 : all[all.length - 1].second;
  }

  /** Puts what was read in the place of what was known of the same seconds. */
  function remember(detail) {
    const { startEpochMillis: start, parts } = detail.history;
    let kept = (read.courses.get(detail.name) || { all: [] }).all;
    if (kept.length > 0 && Math.abs(kept[0].time - kept[0].second * 1000 - start) > SAME_MILLIS) {
      kept = [];
    } else {
      const fresh = parts.flatMap(intervals);
      const from = fresh.length === 0 ? Infinity : fresh[0].second;
      const oldest = (detail.timeEpochMillis - start) / 1000 - KEEP_SECONDS;
      kept = kept.filter(one => one.second < from && one.second + one.seconds > oldest).concat(fresh);
    }
    kept.forEach(one => { one.time = start + one.second * 1000; });
    // Before its first connection a pool has the max of its configuration, which looks like a change of size.
    if (kept.length > 0 && kept[0].second < 5) {
      const first = kept.findIndex(one => one.active > 0 || one.idle > 0);
      kept.slice(0, first === -1 ? kept.length : first).forEach(one => { one.max = undefined; });
    }
    read.courses.set(detail.name, { all: kept });
  }

  /** One object for each interval of a part; those in which nothing was sampled are left out. */
  function intervals(part) {
    const all = [];
    part.active.forEach((active, at) => {
      if (active !== null) {
        const one = { second: part.firstSecond + at * part.seconds, seconds: part.seconds };
        for (const figure of FIGURES) {
          one[figure] = part[figure] && part[figure][at] !== null ? part[figure][at] : undefined;
        }
        all.push(one);
      }
    });
    return all;
  }

  /** The application's clock, which is not this browser's; it stands while the page is paused. */
  const serverNow = () => read.serverTime + ((read.paused ? pausedAt : performance.now()) - reachedAt);

  /** The selected pool's intervals, oldest first: {second, seconds, time, active, …}; second: since it was wrapped. */
  const course = () => (read.courses.get(read.selected) || { all: [] }).all;

  function choose(name) {
    read.selected = name;
    read.detail = null;
    read.moment = 0;
    history.replaceState(null, '', '#pool=' + encodeURIComponent(name));
    poll();
  }

  /** The address of a moment of the selected pool, relative to this page. */
  const momentLink = millis => '#pool=' + encodeURIComponent(read.selected) + '&t=' + Math.round(millis);

  /** A link to a moment was followed, or the address edited. */
  function followed() {
    const name = hash().get('pool') || read.selected;
    read.moment = Number(hash().get('t')) || 0;
    if (name !== read.selected) {
      read.selected = name;
      read.detail = null;
    }
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
    window.addEventListener('hashchange', followed);
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) {
        clearTimeout(timer);
      } else if (!read.paused) {
        poll();
      }
    });
    poll();
  }

  return { read, start, choose, pause, serverNow, course, momentLink };
})();
