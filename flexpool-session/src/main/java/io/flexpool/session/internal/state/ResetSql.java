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
 * Resets the state that is left: this, and no more. {@code DISCARD ALL} would also discard the statements that the driver has
 * prepared.
 */
public final class ResetSql {
    /** The order: first the rights, then cursors, which may use temporary tables. */
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

    /** Reset by their names alone: those of the driver or of the pool's init SQL must stay. */
    private static final Set<Kind> NAMED = EnumSet.of(Kind.TIMEOUT, Kind.SETTING, Kind.PREPARED);

    /** What JDBC's driver sets at the start by itself, or the command leaves. */
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
     * For PostgreSQL.
     *
     * @param left what is left
     * @return the text of one simple query; empty if nothing is left; null if something cannot be reset, and the connection has to
     *     be closed: a name that is not known, or a library
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

    /** A setting's name, each part of which is quoted by itself. */
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
     * For MySQL and MariaDB: whether {@code COM_RESET_CONNECTION}, which resets sessions to the values of the server, and what the
     * driver and the pool set again afterwards, reset all that is left.
     *
     * @param left what is left
     * @return false if not: settings whose value of the new connection is known to nobody, and locks that outlive the command
     */
    public static boolean byDriver(List<Effect> left) {
        return left.stream().noneMatch(ResetSql::outlivesDriver);
    }

    private static boolean outlivesDriver(Effect effect) {
        String name = String.valueOf(effect.name());
        return switch (effect.kind()) {
            case SETTING ->
                OUTLIVING.contains(name) || name.startsWith("character_set") || name.startsWith("collation");
            case TABLE_LOCK -> name.equals("instance") || name.equals("backup");
            default -> false;
        };
    }
}
