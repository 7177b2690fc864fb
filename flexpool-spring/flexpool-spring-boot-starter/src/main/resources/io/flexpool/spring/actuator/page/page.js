/*
 * Connects the parts of the page: shows what was read and reports what could not be.
 */
(() => {
  const { $, write } = FlexPoolWords;
  const { read, start, pause } = FlexPoolReading;
  const { clock } = FlexPoolChart;

  function live(state, word, time) {
    $('live').dataset.state = state;
    write($('live-word'), word);
    write($('live-time'), time === 0 ? '' : clock(time));
  }

  function reached() {
    document.body.dataset.state = 'live';
    $('waiting').hidden = true;
    $('unreachable').hidden = true;
    write($('unreachable'), '');
    live(read.paused ? 'paused' : 'live', read.paused ? 'paused' : 'live', read.serverTime);
  }

  function shown() {
    reached();
    FlexPoolNow.showPools();
    $('empty').hidden = read.pools.length > 0;
    $('shown').hidden = read.detail === null;
    document.title = read.selected === '' ? 'flexpool' : read.selected + ' · flexpool';
    if (read.detail !== null) {
      FlexPoolNow.showNow();
      FlexPoolCourse.show();
      FlexPoolSizing.show();
      FlexPoolAdvice.show();
      FlexPoolClasses.show();
      FlexPoolFleet.show();
      FlexPoolHolders.show();
      FlexPoolTimes.show();
      FlexPoolEvents.show();
      FlexPoolDetails.showSetup();
    }
  }

  function lost(reason) {
    document.body.dataset.state = 'lost';
    $('waiting').hidden = true;
    live('lost', 'not reachable', 0);
    const then = read.serverTime === 0 ? '' : ' The figures below are from ' + clock(read.serverTime) + '.';
    $('unreachable').hidden = false;
    // Screen readers announce only changes.
    write($('unreachable'), 'The endpoint has been unreachable since ' + clock(read.lostSince) + ': ' + reason.replace(/\.$/, '') + '.' + then);
    if (read.detail !== null) {
      FlexPoolCourse.show();
    }
  }

  function turn() {
    const paused = $('pause').getAttribute('aria-pressed') !== 'true';
    $('pause').setAttribute('aria-pressed', String(paused));
    if (paused && read.lostSince === 0) {
      live('paused', 'paused', read.serverTime);
    }
    pause(paused);
  }

  $('silent').hidden = true;
  $('waiting').hidden = false;
  FlexPoolCourse.start();
  FlexPoolSizing.start();
  FlexPoolTimes.start();
  FlexPoolFleet.start();
  FlexPoolHolders.start();
  $('pause').addEventListener('click', turn);
  start({ shown, lost });
})();
