// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.state;

import io.flexpool.session.internal.sql.Effect;
import io.flexpool.session.internal.sql.Effect.Kind;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Resets exactly the state that is left. {@code DISCARD ALL} would also discard the statements that the driver has
 * prepared.
 */
public final class ResetSql {
    /** The order of the reset: first the rights, and cursors before temporary tables, which they may use. */
    private static final List<Kind> ORDER = List.of(
            Kind.SESSION_AUTHORIZATION,
            Kind.ROLE,
            Kind.HOLD_CURSOR,
            Kind.SEARCH_PATH,
            Kind.TIME_ZONE,
            Kind.TIMEOUT,
            Kind.SETTING,
            Kind.PREPARED,
            Kind.LISTEN,
            Kind.ADVISORY_LOCK,
            Kind.TEMP_TABLE);

    /** Reset only by name, because settings and statements of the driver or of the init SQL must stay. */
    private static final Set<Kind> NAMED = EnumSet.of(Kind.TIMEOUT, Kind.SETTING, Kind.PREPARED);

    /** Settings that JDBC's driver sets by itself at connect, or that {@code COM_RESET_CONNECTION} keeps. */
    private static final Set<String> OUTLIVING = Set.of(
            "names",
            "sql_mode",
            "autocommit",
            "transaction_isolation",
            "transaction_read_only",
            "tx_isolation",
            "tx_read_only",
            "resource_group");

    private ResetSql() {}

    /**
     * Builds the reset for PostgreSQL.
     *
     * @param left the state that is left
     * @return the text of one simple query; empty if nothing is left; null if the connection must be closed, because a
     *     name is unknown, or a loaded library cannot be reset
     */
    public static @Nullable String postgresql(List<Effect> left) {
        Map<Kind, Set<String>> statements = new EnumMap<>(Kind.class);
        for (Effect effect : left) {
            Kind kind = effect.kind();
            if (!ORDER.contains(kind) || (effect.name() == null && NAMED.contains(kind))) {
                return null;
            }
            statements.computeIfAbsent(kind, any -> new LinkedHashSet<>()).add(statement(kind, effect.name()));
        }
        StringBuilder sql = new StringBuilder();
        for (Kind kind : ORDER) {
            for (String statement : statements.getOrDefault(kind, Set.of())) {
                sql.append(sql.length() == 0 ? "" : "; ").append(statement);
            }
        }
        return sql.toString();
    }

    private static String statement(Kind kind, @Nullable String name) {
        return switch (kind) {
            case SESSION_AUTHORIZATION -> "SET SESSION AUTHORIZATION DEFAULT";
            case ROLE -> "RESET ROLE";
            case HOLD_CURSOR -> name == null ? "CLOSE ALL" : "CLOSE " + quoted(name);
            case SEARCH_PATH -> "RESET search_path";
            case TIME_ZONE -> "RESET timezone";
            case TIMEOUT, SETTING -> "RESET " + dotted(String.valueOf(name));
            case PREPARED -> "DEALLOCATE " + quoted(String.valueOf(name));
            case LISTEN -> "UNLISTEN *";
            case ADVISORY_LOCK -> "SELECT pg_advisory_unlock_all()";
            case TEMP_TABLE -> "DISCARD TEMP";
            default -> throw new IllegalArgumentException(kind.name());
        };
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    /** Quotes each part of a setting's name separately. */
    private static String dotted(String name) {
        StringBuilder parts = new StringBuilder();
        int from = 0;
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', from)) {
            parts.append(quoted(name.substring(from, dot))).append('.');
            from = dot + 1;
        }
        return parts.append(quoted(name.substring(from))).toString();
    }

    /**
     * For MySQL and MariaDB: whether {@code COM_RESET_CONNECTION}, which restores the server's values, together with
     * the later settings of the driver and the pool, resets the whole state that is left.
     *
     * @param left the state that is left
     * @return false for settings with an unknown initial value, and for locks that survive the command
     */
    public static boolean byDriver(List<Effect> left) {
        return left.stream().noneMatch(ResetSql::outlivesDriver);
    }

    /**
     * Whether the driver sets this state at connect, or {@code COM_RESET_CONNECTION} does not reset it.
     *
     * @param effect the state
     * @return false for other state
     */
    public static boolean outlivesDriver(Effect effect) {
        String name = String.valueOf(effect.name());
        return switch (effect.kind()) {
            case SETTING ->
                OUTLIVING.contains(name) || name.startsWith("character_set") || name.startsWith("collation");
            case TABLE_LOCK -> name.equals("instance") || name.equals("backup");
            default -> false;
        };
    }
}
