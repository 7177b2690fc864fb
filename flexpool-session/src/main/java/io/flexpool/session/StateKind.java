// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.session.internal.sql.Effect;
import io.flexpool.spi.Texts;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** The names of the kinds of session state, set by statements or as properties of JDBC. */
final class StateKind {
    private static final List<String> NAMES = Stream.concat(
                    Stream.of(Effect.Kind.values()).map(Texts::word),
                    // Drivers read the isolation by a round trip: only where the pool does not restore it.
                    EnumSet.range(SessionProperty.CATALOG, SessionProperty.TRANSACTION_ISOLATION).stream()
                            .map(Texts::word))
            .sorted()
            .toList();

    /** The only kinds that can block another session. */
    private static final Set<String> LOCKS =
            Set.of(Texts.word(Effect.Kind.ADVISORY_LOCK), Texts.word(Effect.Kind.TABLE_LOCK));

    private static final List<String> RANKED =
            Stream.of(Effect.Kind.values()).map(Texts::word).toList();

    private StateKind() {}

    static List<String> names() {
        return NAMES;
    }

    /** All kinds, as a phrase that follows "must be". */
    static String words() {
        return String.join(", ", NAMES.subList(0, NAMES.size() - 1)) + " or " + NAMES.get(NAMES.size() - 1);
    }

    /** The order of kinds: roles and settings, which affect the next borrower's data, are first. */
    static int rank(String kind) {
        int at = RANKED.indexOf(kind);
        return at < 0 ? RANKED.size() : at;
    }

    /** The method of JDBC that changes a property. */
    static String setter(SessionProperty property) {
        StringBuilder name = new StringBuilder("Connection.set");
        for (String word : property.name().split("_", -1)) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return name.toString();
    }

    static boolean isLock(String kind) {
        return LOCKS.contains(kind);
    }
}
