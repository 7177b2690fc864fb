// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.mysql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** The differences between MySQL and MariaDB. */
enum Dialect {
    MARIADB("MariaDB", "p.time_ms", "information_schema.global_status", """
        left join information_schema.innodb_lock_waits w on w.requesting_trx_id = t.trx_id
        left join information_schema.innodb_trx b on b.trx_id = w.blocking_trx_id\
        """) {
        @Override
        String select(int millis) {
            return String.format(Locale.ROOT, "set statement max_statement_time = %.3f for select ", millis / 1000.0);
        }
    },
    MYSQL("MySQL", "1000 * p.time", "performance_schema.global_status", """
        left join performance_schema.data_lock_waits w on w.requesting_engine_transaction_id = t.trx_id
        left join information_schema.innodb_trx b on b.trx_id = w.blocking_engine_transaction_id\
        """) {
        @Override
        String select(int millis) {
            return "select /*+ max_execution_time(" + millis + ") */ ";
        }
    };

    /**
     * Queries the locks on objects for whose metadata lock a session waits. The performance schema names a lock's owner
     * by its thread, and has the last statement of an idle session if the server records statements.
     */
    private static final String METADATA_LOCKS = """
        l.object_type, l.object_schema, l.object_name, l.lock_type, l.lock_status, o.processlist_id,
          left(e.sql_text, 1000) as last_statement
        from performance_schema.metadata_locks l
        join performance_schema.threads o on o.thread_id = l.owner_thread_id
        left join performance_schema.events_statements_current e
          on e.thread_id = o.thread_id and e.nesting_event_id is null
        join (
          select distinct object_type, object_schema, object_name
          from performance_schema.metadata_locks
          where lock_status = 'PENDING') w
          on w.object_type = l.object_type
          and w.object_schema <=> l.object_schema and w.object_name <=> l.object_name
        where l.lock_status in ('PENDING', 'GRANTED') and o.processlist_id is not null
        limit 2000\
        """;

    private final String product;
    private final String millisInState;
    private final String status;
    private final String lockWaits;

    Dialect(String product, String millisInState, String status, String lockWaits) {
        this.product = product;
        this.millisInState = millisInState;
        this.status = status;
        this.lockWaits = lockWaits;
    }

    /**
     * The dialect of a connection's server, by the version that the server reported at connect; works with both
     * drivers.
     */
    static Dialect of(Connection connection) throws SQLException {
        String version = connection.getMetaData().getDatabaseProductVersion();
        return version.contains("MariaDB") ? MARIADB : MYSQL;
    }

    String product() {
        return product;
    }

    /** The start of a query, with a time limit that the server enforces. */
    abstract String select(int millis);

    /**
     * A row for each visible session, or for each pair of a session and its blocker; every row repeats the facts about
     * the server. A transaction's start is in the server's time zone.
     */
    String processes(Detail detail, int millis) {
        return select(millis) + "p.id, p.user, p.host, p.db, p.command, " + millisInState + " as in_state, p.state,"
                + " left(p.info, 1000) as info,"
                + " @@global.max_connections as usable, @@session.max_user_connections as user_limit,"
                + " (select variable_value from " + status
                + " where variable_name = 'Threads_connected') as used,"
                + " user() as login, current_user() as account, @@global.performance_schema as recorded"
                + (detail.transactions()
                        ? ", t.trx_state, timestampdiff(microsecond, t.trx_started,"
                                + " convert_tz(now(6), @@session.time_zone, 'SYSTEM')) div 1000 as in_transaction"
                        : ", null as trx_state, null as in_transaction")
                + (detail.lockWaits() ? ", b.trx_mysql_thread_id as blocker" : ", null as blocker")
                + " from information_schema.processlist p"
                + (detail.transactions()
                        ? " left join information_schema.innodb_trx t on t.trx_mysql_thread_id = p.id"
                        : "")
                + (detail.lockWaits() ? "\n" + lockWaits : "");
    }

    /** A row for each lock, granted or pending, on an object for which a session waits. */
    String metadataLocks(int millis) {
        return select(millis) + METADATA_LOCKS;
    }
}
