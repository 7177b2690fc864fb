// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.state;

import io.flexpool.session.internal.sql.Effect;
import io.flexpool.session.internal.sql.Effect.Kind;
import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Queries the state of a session from PostgreSQL, for statements whose text does not show their effects. */
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
                where relnamespace = pg_my_temp_schema() and relkind in ('r', 'p', 'v', 'S', 'c')
            union all select 'TEMP_TABLE', typname from pg_type
                where typnamespace = pg_my_temp_schema() and typtype in ('d', 'e', 'r')
            union all select 'TEMP_TABLE', proname from pg_proc where pronamespace = pg_my_temp_schema()
            union all select 'HOLD_CURSOR', name from pg_cursors where is_holdable
            """;

    private ServerState() {}

    /**
     * Builds the query.
     *
     * @param variables the application's variables to check, because the server does not list them; only letters,
     *     digits, underscores and dots
     * @return a query with one row for each left state: its kind, and its name or null
     */
    public static String postgresql(Collection<String> variables) {
        return variables.isEmpty()
                ? LEFT
                : LEFT + "union all select 'SETTING', n from unnest(array['"
                        + variables.stream().sorted().collect(Collectors.joining("', '"))
                        + "']) as n where coalesce(current_setting(n, true), '') <> ''";
    }

    /**
     * Converts a row to an effect.
     *
     * @param kind the first column
     * @param name the second column
     * @return the effect of a statement that sets this state
     */
    public static Effect effect(String kind, @Nullable String name) {
        return new Effect(Kind.valueOf(kind), name, true, true, false);
    }
}
