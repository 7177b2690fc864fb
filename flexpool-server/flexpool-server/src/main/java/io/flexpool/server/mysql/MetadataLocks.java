// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.mysql;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The metadata locks on which sessions wait, and by which rules they exclude each other. The server lists locks, but
 * not which session waits for which. The rules are those of its manual and source ("mdl"): a request waits for locks that
 * others have been granted, and for stronger ones that others asked for before. A mode that is not listed here excludes
 * none.
 */
final class MetadataLocks {
    /** In the order of the two tables below. */
    private static final List<String> MODES = List.of(
            "SHARED",
            "SHARED_HIGH_PRIO",
            "SHARED_READ",
            "SHARED_WRITE",
            "SHARED_WRITE_LOW_PRIO",
            "SHARED_UPGRADABLE",
            "SHARED_READ_ONLY",
            "SHARED_NO_WRITE",
            "SHARED_NO_READ_WRITE",
            "EXCLUSIVE");

    /** A line for each mode that is wanted, a column for each that another has: x where they exclude each other. */
    private static final List<String> GRANTED = List.of(
            ".........x",
            ".........x",
            "........xx",
            "......xxxx",
            "......xxxx",
            ".....x.xxx",
            "...xx...xx",
            "...xxx.xxx",
            "..xxxxxxxx",
            "xxxxxxxxxx");

    /** A column for each that another waits for: x where that one goes first. */
    private static final List<String> PENDING = List.of(
            ".........x",
            "..........",
            "........xx",
            ".......xxx",
            "......xxxx",
            ".........x",
            "...x....xx",
            ".........x",
            ".........x",
            "..........");

    /** With these a session changes a table's definition, or keeps all others from writing to it. */
    private static final Set<String> CHANGING = Set.of("SHARED_NO_WRITE", "SHARED_NO_READ_WRITE", "EXCLUSIVE");

    static final MetadataLocks NONE = new MetadataLocks(List.of());

    private final List<Entry> locks;

    /** All locks on the objects for which at least one session waits. */
    MetadataLocks(List<Entry> locks) {
        this.locks = List.copyOf(locks);
    }

    /**
     * A lock.
     *
     * @param type of the object: {@code TABLE} for instance
     * @param object its name, with its schema's
     * @param mode one of the server's words
     * @param granted false if the session waits for it
     * @param session the session that has it or waits for it
     * @param statement the last one of that session; null if unknown
     */
    record Entry(
            String type,
            String object,
            String mode,
            boolean granted,
            long session,
            @Nullable String statement) {
        private boolean sameObject(Entry other) {
            return type.equals(other.type) && object.equals(other.object);
        }

        /** Whether this one, which is wanted, has to wait for the other. */
        private boolean waitsFor(Entry other) {
            int wanted = MODES.indexOf(mode);
            int others = MODES.indexOf(other.mode);
            return wanted >= 0
                    && others >= 0
                    && (other.granted ? GRANTED : PENDING).get(wanted).charAt(others) == 'x';
        }
    }

    boolean isEmpty() {
        return locks.isEmpty();
    }

    /** The sessions for which a session waits; empty if it waits for no metadata lock. */
    List<Long> blockersOf(long session) {
        return locks.stream()
                .filter(wanted -> wanted.session == session && !wanted.granted)
                .flatMap(wanted -> locks.stream()
                        .filter(other -> other.session != session && other.sameObject(wanted))
                        .filter(wanted::waitsFor))
                .map(Entry::session)
                .distinct()
                .toList();
    }

    /** The last statement of a session that has such a lock; null if unknown. */
    @Nullable
    String statementOf(long session) {
        return locks.stream()
                .filter(lock -> lock.session == session)
                .map(Entry::statement)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Whether a session has, or waits for, a lock that keeps others from using the table. */
    boolean changesSchema(long session) {
        return locks.stream()
                .filter(lock -> lock.session == session)
                .filter(lock -> lock.type.equals("TABLE") && CHANGING.contains(lock.mode))
                .anyMatch(lock -> !lock.granted
                        || locks.stream()
                                .anyMatch(
                                        other -> other.session != session && !other.granted && other.sameObject(lock)));
    }
}
