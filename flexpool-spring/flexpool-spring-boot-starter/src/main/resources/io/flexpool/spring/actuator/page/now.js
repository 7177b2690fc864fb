/*
 * The list of pools, and the current state of the selected one: one sentence and the figures.
 */
const FlexPoolNow = (() => {
  const { $, element, write, renew, number, digits, duration, rate, lastSpan } = FlexPoolWords;
  const { read, choose } = FlexPoolReading;

  /** What the sizing controller does: strategies work apart from it. */
  const CONTROLLER = {
    recommend: ' (the sizing controller only reports)',
    monitor: ' (limits and strategies are suspended)',
  };

  function showPools() {
    $('pools').hidden = read.pools.length < 2;
    const list = $('pools').firstElementChild;
    const names = read.pools.map(pool => pool.name);
    const known = [...list.children].map(item => item.pool);
    if (names.length !== known.length || names.some((name, at) => name !== known[at])) {
      const focused = document.activeElement && document.activeElement.closest('#pools li');
      list.replaceChildren(...names.map(poolItem));
      const again = focused && [...list.children].find(item => item.pool === focused.pool);
      if (again) {
        again.firstElementChild.focus();
      }
    }
    read.pools.forEach((pool, at) => updatePoolItem(list.children[at], pool));
  }

  function poolItem(name) {
    const fill = element('span');
    const button = element('button', '', element('span', 'name', name), element('span', 'brief'), element('span', 'bar', fill));
    button.type = 'button';
    button.addEventListener('click', () => choose(name));
    const item = element('li', '', button);
    item.pool = name;
    return item;
  }

  function updatePoolItem(item, pool) {
    const button = item.firstElementChild;
    // Of the selected pool what the rest of the page shows: the list was read a moment before.
    const { active, pending } = pool.name === read.selected && read.detail ? read.detail.state : pool.state;
    const limit = pool.limits.limit;
    const out = pool.enabled ? active + (limit === undefined ? '' : ' of ' + limit) + ' active' : 'not watched';
    const waits = pending > 0 ? number(pending) + ' pending' : '';
    renew(button.children[1], out + waits, () => [out, ...(waits ? [', ', element('span', 'waits', waits)] : [])]);
    button.children[2].firstElementChild.style.width = (limit ? Math.min(100, (100 * active) / limit) : 0) + '%';
    button.setAttribute('aria-current', String(pool.name === read.selected));
  }

  function showNow() {
    const { detail } = read;
    const { state, limits } = detail;
    const figures = detail.statistics.recent;
    write($('pool-name'), detail.name);
    const how = !detail.enabled
      ? 'flexpool is disabled and only delegates'
      : limits.limited
        ? 'limited from ' + limits.base + ' to ' + limits.ceiling
        : 'flexpool sets no limit';
    const also = (detail.otherNames || []).length ? ', also called ' + detail.otherNames.join(', ') : '';
    const mode = detail.enabled ? ', mode ' + detail.mode + (CONTROLLER[detail.mode] || '') : '';
    write($('pool-kind'), detail.type + also + ', ' + how + mode);
    FlexPoolCondition.show();
    const open = state.total === undefined ? '' : 'of ' + state.total + ' open';
    const foreign = state.foreign > 0 ? ', ' + state.foreign + ' not through flexpool' : '';
    fill($('figures'), [
      ['active', 'Active', state.active, (figures.activeSampled.count > 0 ? digits(figures.activeSampled.mean) + ' on average, ' + number(state.activePeak) + ' at most' : '') + foreign],
      ['idle', 'Idle', state.idle, open],
      ['pending', 'Pending', state.pending, state.waiting > 0 ? 'oldest ' + duration(state.oldestWaitMillis) : number(state.pendingPeak) + ' at most'],
      ['limit', 'Limit', limits.limited ? limits.limit : undefined, limits.limited ? 'base ' + limits.base + ', ceiling ' + limits.ceiling : 'flexpool sets no limit'],
      ['max', 'Pool max', limits.max, limits.minIdle === undefined ? '' : 'min idle ' + limits.minIdle],
    ]);
    const total = detail.statistics.total;
    facts($('facts'), [
      ['Acquisitions', lately()],
      ['Since the start:', ''],
      ['Timeouts', number(total.counters.timeouts), total.counters.timeouts > 0],
      ['Connect failures', number(total.counters.connectFailures), total.counters.connectFailures > 0],
      ['Leaks suspected', number(total.counters.leaksSuspected), total.counters.leaksSuspected > 0],
      ['Nested requests', number(total.counters.nestedAcquisitions)],
      ['Growth steps', number(total.counters.growths)],
      ['Shrink steps', number(total.counters.shrinks)],
      ['Growths refused', number(total.counters.refusedGrowths)],
    ]);
  }

  /** The rate of the recent figures, and over which time it is. */
  function lately() {
    const { recent, recentWindowSeconds: seconds } = read.detail.statistics;
    return rate(seconds > 0 ? recent.acquisition.ok.count / seconds : 0) + ' / s in the ' + lastSpan(seconds);
  }

  function fill(list, rows) {
    rows.forEach(([name, label, value, aside], at) => {
      let cell = list.children[at];
      if (!cell) {
        cell = element('div', name, element('dt', '', label), element('dd', 'value'), element('dd', 'aside'));
        list.append(cell);
      }
      cell.dataset.any = String(value > 0);
      write(cell.children[1], number(value));
      write(cell.children[2], aside);
    });
  }

  function facts(list, rows) {
    rows.forEach(([label, value, bad], at) => {
      let row = list.children[at];
      if (!row) {
        row = element('div', '', element('dt', '', label), element('dd'));
        list.append(row);
      }
      write(row.lastElementChild, value);
      row.lastElementChild.className = bad ? 'bad' : '';
    });
  }

  return { showPools, showNow };
})();
