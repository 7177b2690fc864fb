/*
 * Which of the open leases block others in the database, as the last look at the server shows.
 */
const FlexPoolBlocking = (() => {
  /** How many leases each session of the server blocks, directly or through others. */
  function blocked(rows) {
    const byId = new Map(rows.filter(row => row.inServer).map(row => [row.inServer.session, row.inServer]));
    const counts = new Map();
    for (const row of rows.filter(one => one.inServer)) {
      const seen = new Set();
      const next = [...(row.inServer.blockedBy || [])];
      while (next.length > 0) {
        const id = next.pop();
        if (!seen.has(id)) {
          seen.add(id);
          next.push(...((byId.get(id) || {}).blockedBy || []));
        }
      }
      seen.delete(row.inServer.session);
      seen.forEach(id => counts.set(id, (counts.get(id) || 0) + 1));
    }
    return counts;
  }

  /** The leases with the number of others that each blocks. The one that blocks most comes first, whatever its age. */
  function ordered(rows) {
    const counts = blocked(rows);
    const count = row => (row.inServer && (row.inServer.blockedBy || []).length === 0 && counts.get(row.inServer.session)) || 0;
    return rows.map((row, at) => ({ row, at, blocks: count(row) }))
      .sort((one, other) => other.blocks - one.blocks || one.at - other.at);
  }

  return { ordered };
})();
