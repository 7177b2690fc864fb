/*
 * The classes of the pool's requests, each with its leases and its waits.
 */
const FlexPoolClasses = (() => {
  const { $, number, duration } = FlexPoolWords;
  const { read } = FlexPoolReading;
  const { table } = FlexPoolTable;

  function show() {
    const classes = read.detail.classes || [];
    $('classes').hidden = classes.length === 0;
    table($('classes'), classes, row => [
      ['Class', row.name, 'code'],
      ['Holds', number(row.leased), 'number'],
      ['Max', row.max === undefined ? 'any' : number(row.max), 'number'],
      ['Guarantee', number(row.guaranteed), 'number'],
      ['Wait now', number(row.waiting), 'number'],
      ['Wait, p99', row.recentWaitP99Millis === undefined ? number(undefined) : duration(row.recentWaitP99Millis), 'number'],
      ['Acquired', number(row.acquired), 'number'],
      ['Timed out', number(row.timeouts), row.timeouts > 0 ? 'number bad' : 'number'],
      ['Shed', number(row.shed), row.shed > 0 ? 'number bad' : 'number'],
    ], classes.length === 0 ? '' : 'The most important class first. The wait is of the last minute. The columns Acquired, Timed out and Shed are counts since the start.');
  }

  return { show };
})();
