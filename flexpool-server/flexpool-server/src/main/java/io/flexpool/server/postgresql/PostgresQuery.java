// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.postgresql;

import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.ServerSnapshot.Application;
import io.flexpool.server.ServerSnapshot.Limit;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends three statements in one message: settings, the sessions of each application, and the activity of the relevant
 * sessions. The driver ends the message with one Sync. So the server runs all three in one transaction even in
 * autocommit mode, and the settings end with it without a further round trip. The search path is set for security:
 * otherwise PostgreSQL may call a better-matching operator from a schema in which other users may write.
 *
 * <p>{@code pg_blocking_pids} is called once for each queried session and each session that waits for a lock. At most
 * {@value ServerSnapshot#MOST_SESSIONS} calls are made, because each briefly stops the lock manager. The chains of
 * blockers are computed from the result.
 */
final class PostgresQuery {
    private static final String SETTINGS = "select pg_catalog.set_config('statement_timeout', ?, true),"
            + " pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true)";

    /**
     * A row for each application: its sessions, those of the pool's role, and their addresses. Every row repeats the
     * totals. Rows of hidden sessions have no backend type; background processes have no user or no database. Only the
     * server's limit applies to superusers.
     */
    private static final String TOTALS = """
        with me as (
          select r.oid, r.rolname, r.rolsuper, d.oid as database, d.datname,
            case when not r.rolsuper then r.rolconnlimit else -1 end as role_limit,
            case when not r.rolsuper then d.datconnlimit else -1 end as database_limit,
            exists (
              select 1 from pg_catalog.pg_roles e
              where e.rolname = 'pg_use_reserved_connections'
                and pg_catalog.pg_has_role(r.oid, e.oid, 'usage')) as reserve
          from pg_catalog.pg_roles r, pg_catalog.pg_database d
          where r.rolname = session_user and d.datname = pg_catalog.current_database()),
        usable as (
          select pg_catalog.current_setting('max_connections')::int4
            - case when m.rolsuper then 0
              else pg_catalog.current_setting('superuser_reserved_connections')::int4 end
            - case when m.rolsuper or m.reserve then 0
              else coalesce(pg_catalog.current_setting('reserved_connections', true)::int4, 0) end as sessions
          from me m)
        select s.application_name, s.sessions, sum(s.sessions) over () as used, u.sessions as usable,
          pg_catalog.current_setting('max_connections')::int4 - u.sessions as reserved,
          s.mine, s.of_role as own, s.addresses,
          m.rolname, m.role_limit, sum(s.of_role) over () as of_role,
          m.datname, m.database_limit, sum(s.of_database) over () as of_database
        from me m, usable u, (
          select a.application_name, count(*) as sessions,
            count(*) filter (where a.usesysid = m.oid) as of_role,
            count(distinct coalesce(pg_catalog.host(a.client_addr), '')) filter (where a.usesysid = m.oid) as addresses,
            bool_or(a.pid = pg_catalog.pg_backend_pid()) as mine,
            count(*) filter (where a.datid = m.database) as of_database
          from me m, pg_catalog.pg_stat_activity a
          where a.usesysid is not null and a.datid is not null
            and coalesce(a.backend_type, 'client backend') = 'client backend'
          group by a.application_name) s
        order by s.sessions desc, s.application_name\
        """;

    /**
     * A row for each queried session, each session that waits for a lock, and each blocker of these. A strong table
     * lock counts as a schema change if it waits, or if another session waits for it: locks on new and temporary tables
     * block no session. The lock of {@code lock table} is excluded, because it left no new row version in the catalog,
     * and its session runs no statement that changes the schema.
     */
    private static final String SESSIONS = """
        with asked as (:asked),
        locks as materialized (
          select l.pid, l.granted, l.mode, l.database, case when l.locktype = 'relation' then l.relation end as tab,
            case when l.locktype = 'transactionid' and l.granted then l.transactionid::text end as xid,
            case when not l.granted then
              (pg_catalog.to_jsonb(l) ->> 'waitstart')::timestamptz end as since
          from pg_catalog.pg_locks l),
        candidates as (
          select c.pid, max(c.rank) as rank
          from (select pid, 1 as rank from asked union all select pid, 0 from locks where not granted) c
          where c.pid is not null
          group by c.pid),
        waiting as materialized (
          select c.pid, pg_catalog.pg_blocking_pids(c.pid) as blockers
          from (select pid from candidates order by rank desc, pid limit :most) c),
        named as (select pid from waiting union select pg_catalog.unnest(blockers) from waiting),
        changing as (
          select distinct m.pid
          from locks m
          left join pg_catalog.pg_stat_activity s on s.pid = m.pid
          where (s.query ~* '^\\s*(alter|create|drop|truncate|reindex|cluster|vacuum|refresh)\\M'
              or (not m.granted and coalesce(s.query, '') !~* '\\mlock\\s')
              or exists (
                select 1 from locks x
                where x.pid = m.pid and x.xid is not null and (
                  exists (
                    select 1 from pg_catalog.pg_class c where c.oid = m.tab and c.xmax::text = x.xid)
                  or exists (
                    select 1 from pg_catalog.pg_attribute c
                    where c.attrelid = m.tab and c.xmax::text = x.xid))))
            and m.tab is not null
            and m.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
            and (not m.granted or exists (
              select 1 from locks o
              where not o.granted and o.tab = m.tab and o.database = m.database and o.pid <> m.pid)))
        select a.pid, a.state, a.wait_event_type, a.wait_event, w.blockers,
          exists (select 1 from locks l where l.pid = a.pid and not l.granted) as awaits,
          exists (select 1 from changing c where c.pid = a.pid) as changes,
          (1000 * extract(epoch from pg_catalog.clock_timestamp()
            - case when a.state is not null then
              coalesce((select max(l.since) from locks l where l.pid = a.pid), a.state_change) end))::int8 as in_state,
          (1000 * extract(epoch from pg_catalog.clock_timestamp() - a.xact_start))::int8 as in_transaction,
          (1000 * extract(epoch from pg_catalog.clock_timestamp() - a.backend_start))::int8 as connected,
          a.application_name, pg_catalog.host(a.client_addr) as address, a.usename, a.datname,
          case when a.state is not null then pg_catalog.substr(a.query, 1, 1000) end as query,
          exists (select 1 from asked k where k.pid = a.pid) as asked,
          (select count(*) from candidates) > :most as more
        from named n
        join pg_catalog.pg_stat_activity a on a.pid = n.pid
        left join waiting w on w.pid = a.pid\
        """.replace(":most", String.valueOf(ServerSnapshot.MOST_SESSIONS));

    private static final String BY_ID = "select pg_catalog.unnest(?::int4[]) as pid";

    /**
     * Finds sessions by application name. Behind a pooler, an unused session keeps the name of its last client. A new
     * client without a name also leaves that name unchanged. So if two sessions with one name work, one does not belong
     * to the connection, and neither counts.
     */
    private static final String BY_NAME = """
        select (pg_catalog.array_agg(
            a.pid order by (a.state <> 'idle') desc nulls last, a.state_change desc nulls last))[1] as pid
          from pg_catalog.pg_stat_activity a
          where a.application_name = any(?::text[])
            and a.usename = session_user and a.datname = pg_catalog.current_database()
            and a.pid <> pg_catalog.pg_backend_pid()
          group by a.application_name
          having count(*) filter (where a.state <> 'idle') <= 1\
        """;

    private static final String UNNAMED = "(no name)";

    private static final String SQL_BY_ID = sql(BY_ID);
    private static final String SQL_BY_NAME = sql(BY_NAME);

    /** The blocker that {@code pg_blocking_pids} returns for a prepared transaction, which has no process. */
    private static final long PREPARED_TRANSACTION = 0;

    private final Connection own;
    private final String sql;
    private final String type;
    private final Object[] keys;
    /** The queried ids, to find those without a session; empty for queries by name. */
    private final Set<Long> asked;

    private final ServerSnapshot.Builder snapshot = ServerSnapshot.of(PostgresServerViewProvider.PRODUCT);
    private final List<String> notVisible = new ArrayList<>();
    private String user = "";

    private PostgresQuery(Connection own, String sql, String type, Object[] keys, Set<Long> asked) {
        this.own = own;
        this.sql = sql;
        this.type = type;
        this.keys = keys;
        this.asked = asked;
    }

    static PostgresQuery byId(Connection own, Set<Long> asked) {
        Object[] processes = asked.stream()
                .filter(id -> id == id.intValue())
                .map(Long::intValue)
                .toArray();
        return new PostgresQuery(own, SQL_BY_ID, "int4", processes, asked);
    }

    static PostgresQuery byName(Connection own, Set<String> names) {
        return new PostgresQuery(own, SQL_BY_NAME, "text", names.toArray(), Set.of());
    }

    private static String sql(String asked) {
        return String.join(";\n", SETTINGS, TOTALS, SESSIONS.replace(":asked", asked));
    }

    /**
     * The server's time limit ends first, so that its error still arrives; if nothing arrives, the socket times out and
     * the connection is broken.
     */
    ServerSnapshot within(Duration deadline) throws SQLException {
        int socketMillis = (int) Math.min(Integer.MAX_VALUE, Math.max(1, deadline.toMillis()));
        int before = own.getNetworkTimeout();
        own.setNetworkTimeout(Runnable::run, socketMillis);
        try {
            return run(Math.max(1, socketMillis / 4 * 3));
        } finally {
            if (!own.isClosed()) {
                own.setNetworkTimeout(Runnable::run, before);
            }
        }
    }

    private ServerSnapshot run(int serverMillis) throws SQLException {
        try (PreparedStatement query = own.prepareStatement(sql)) {
            query.setString(1, serverMillis + "ms");
            query.setArray(2, own.createArrayOf(type, keys));
            query.execute();
            readTotals(next(query));
            readSessions(next(query));
        }
        return snapshot.notVisible(notVisible).build();
    }

    private static ResultSet next(PreparedStatement query) throws SQLException {
        query.getMoreResults();
        return query.getResultSet();
    }

    private void readTotals(ResultSet rows) throws SQLException {
        Map<String, Integer> byApplication = new LinkedHashMap<>();
        // The result has at least the row of this connection.
        while (rows.next()) {
            if (byApplication.isEmpty()) {
                readLimits(rows);
            }
            String name = rows.getString("application_name");
            String application = name == null || name.isBlank() ? UNNAMED : name;
            byApplication.merge(application, rows.getInt("sessions"), Integer::sum);
            if (rows.getBoolean("mine")) {
                snapshot.application(new Application(application, rows.getInt("own"), rows.getInt("addresses")));
            }
        }
        snapshot.sessionsByApplication(byApplication);
    }

    private void readLimits(ResultSet row) throws SQLException {
        int usable = row.getInt("usable");
        String role = row.getString("rolname");
        snapshot.slots(row.getInt("used"), usable)
                .reserved(row.getInt("reserved"))
                .limit(narrower(
                        usable,
                        new Limit(Limit.Kind.ROLE, role, row.getInt("role_limit"), row.getInt("of_role")),
                        new Limit(
                                Limit.Kind.DATABASE,
                                row.getString("datname"),
                                row.getInt("database_limit"),
                                row.getInt("of_database"))));
        user = role;
    }

    /** The limit with the fewest sessions left, of those below the server's. A negative maximum means no limit. */
    private static @Nullable Limit narrower(int usable, Limit ofRole, Limit ofDatabase) {
        boolean role = ofRole.max() >= 0 && ofRole.max() < usable;
        boolean database = ofDatabase.max() >= 0 && ofDatabase.max() < usable;
        if (role && database) {
            return ofDatabase.max() - ofDatabase.used() < ofRole.max() - ofRole.used() ? ofDatabase : ofRole;
        }
        return role ? ofRole : database ? ofDatabase : null;
    }

    private void readSessions(ResultSet rows) throws SQLException {
        List<ServerSession> sessions = new ArrayList<>();
        Set<Long> unknown = new HashSet<>(asked);
        Set<Long> hiddenSessions = new HashSet<>();
        boolean behindPrepared = false;
        boolean untracked = false;
        boolean more = false;
        while (rows.next()) {
            SessionRow row = new SessionRow(rows);
            sessions.add(row.session(rows.getBoolean("asked")));
            unknown.remove(row.id());
            behindPrepared |= row.blockers().contains(PREPARED_TRANSACTION);
            untracked |= row.untracked();
            if (row.hidden()) {
                hiddenSessions.add(row.id());
            }
            more |= rows.getBoolean("more");
        }
        if (behindPrepared) {
            sessions.add(ServerSession.of(PREPARED_TRANSACTION)
                    .client("a prepared transaction", null)
                    .build());
            notVisible.add("the prepared transaction that blocks (it has no session; see pg_prepared_xacts)");
        }
        if (untracked) {
            notVisible.add("the activity of sessions with track_activities off");
        }
        if (more) {
            notVisible.add("further blockers (only those of the first " + ServerSnapshot.MOST_SESSIONS
                    + " sessions were read)");
        }
        snapshot.sessions(sessions).unknownSessions(unknown);
        long hidden = snapshot.build().sessions().stream()
                .filter(session -> hiddenSessions.contains(session.id()))
                .count();
        if (hidden > 0) {
            notVisible.add((hidden == 1
                            ? "the state of 1 session of another role"
                            : "the states of " + hidden + " sessions of other roles")
                    + ": grant pg_read_all_stats to role " + user);
        }
    }
}
