// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.state;

import io.flexpool.session.internal.sql.Effect;
import io.flexpool.session.internal.sql.Effect.Kind;
import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The state of a session as PostgreSQL itself shows it, where the texts of statements do not. */
public final class ServerState {
    private static final String LEFT = """
            select case when name = 'search_path' then 'SEARCH_PATH' when name = 'TimeZone' then 'TIME_ZONE'
                    when name like '%_timeout' then 'TIMEOUT' else 'SETTING' end,
                    case when name in ('search_path', 'TimeZone') then null else lower(name) end
                from pg_settings where source = 'session' and name not like 'transaction\\_%'
                    -- a SET LOCAL after a RESET in one transaction leaves the source, and no value
                    and setting <> reset_val
            union all select 'ROLE', null where current_setting('role') <> 'none'
            union all select 'SESSION_AUTHORIZATION', null
                where session_user <> (select usename from pg_stat_activity where pid = pg_backend_pid())
            union all select 'ADVISORY_LOCK', case mode when 'ShareLock' then 'shared ' else '' end
                    || case objsubid when 1 then objid::text else classid || ',' || objid end
                from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
            union all select 'LISTEN', c from pg_listening_channels() as c
            union all select 'PREPARED', name from pg_prepared_statements where from_sql
            union all select 'TEMP_TABLE', relname from pg_class
                where relnamespace = pg_my_temp_schema() and relkind in ('r', 'v', 'S')
            union all select 'HOLD_CURSOR', name from pg_cursors where is_holdable
            """;

    private ServerState() {}

    /**
     * The query.
     *
     * @param variables the variables of the application to look for, which the server does not list; each of letters, digits,
     *     underscores and dots
     * @return one row for each thing that is set: the name of its kind, and its own name or null
     */
    public static String postgresql(Collection<String> variables) {
        return variables.isEmpty()
                ? LEFT
                : LEFT + "union all select 'SETTING', n from unnest(array['"
                        + variables.stream().sorted().collect(Collectors.joining("', '"))
                        + "']) as n where coalesce(current_setting(n, true), '') <> ''";
    }

    /**
     * A row as an effect.
     *
     * @param kind the first column
     * @param name the second column
     * @return what a statement that has set it would have
     */
    public static Effect effect(String kind, @Nullable String name) {
        return new Effect(Kind.valueOf(kind), name, true, true, false);
    }
}
