/*
 * What the pool shares with others: the connections of its fleet, member by member, and the sessions of its server.
 */
const FlexPoolFleet = (() => {
  const { $, write, number, duration, plural, upper } = FlexPoolWords;
  const { read } = FlexPoolReading;
  const { table, expandable } = FlexPoolTable;
  const SOURCES = { boot: 'its initial share', grant: 'granted', share: 'its static share' };

  function words(fleet) {
    const says = 'This pool may open ' + number(fleet.granted) + ' of the fleet’s ' + number(fleet.cap) + ' connections (' + (SOURCES[fleet.source] || fleet.source)
      + '), needs ' + number(fleet.wanted) + ', holds ' + number(fleet.held) + '. ';
    const store = fleet.members === 0 ? 'The store has not answered yet.'
      : plural(fleet.members, 'member', 'members') + ', ' + number(fleet.free) + ' free.';
    return says + store + (fleet.trouble ? ' ' + upper(fleet.trouble) + '.' : '');
  }

  function showMembers(fleet) {
    const names = fleet.shown;
    const left = fleet.members > names.length ? 'The ' + names.length + ' largest members of fleet ' : 'Members of fleet ';
    table($('fleet'), names, row => [
      ['Member', row.name + (row.name === fleet.member ? ' (this pool)' : ''), 'code'],
      ['Granted', number(row.granted), 'number'],
      ['May hold', number(row.held), 'number'],
      ['Needs', number(row.wanted), 'number'],
      ['Renewed', duration(row.ageMillis) + ' before', 'number'],
      ['State', row.silent ? 'lease ended' : 'live', row.silent ? 'activity bad' : 'activity'],
    ], names.length === 0 ? '' : left + '‘' + fleet.name + '’, as of the store’s last answer.');
  }

  function show() {
    const { fleet, sessions } = read.detail;
    $('fleet').hidden = !fleet && !sessions;
    $('fleet-text').hidden = !fleet;
    $('sessions-text').hidden = !sessions;
    write($('fleet-text'), fleet ? words(fleet) : '');
    write($('sessions-text'), sessions ? sessions.text + '.' : '');
    $('sessions-text').className = sessions && sessions.fit === 'over' ? 'bad' : '';
    showMembers(fleet || { shown: [], members: 0 });
  }

  function start() {
    expandable($('fleet'), show);
  }

  return { start, show };
})();
