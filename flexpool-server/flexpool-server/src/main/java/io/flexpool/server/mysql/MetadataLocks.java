// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.mysql;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Computes which sessions block each other by metadata locks, because the server lists the locks but not the blockers.
 * The rules are those of the server's manual and source ("mdl"). A request waits for conflicting granted locks, and for
 * pending requests with a higher priority. A mode that is not listed here conflicts with no other.
 */
final class MetadataLocks {
    /** The lock modes, in the order of the rows and columns of the two tables below. */
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

    /** A row for each requested mode, a column for each granted mode; x marks a conflict. */
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

    /** A row for each requested mode, a column for each pending mode; x means that the pending request has priority. */
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

    /**
     * The modes of a session that changes a table's definition, or prevents all other sessions from writing to the
     * table.
     */
    private static final Set<String> CHANGING = Set.of("SHARED_NO_WRITE", "SHARED_NO_READ_WRITE", "EXCLUSIVE");

    static final MetadataLocks NONE = new MetadataLocks(List.of());

    private final List<Entry> locks;

    /** Takes all locks on the objects for which at least one session waits. */
    MetadataLocks(List<Entry> locks) {
        this.locks = List.copyOf(locks);
    }

    /**
     * A lock.
     *
     * @param type the type of the object, for example {@code TABLE}
     * @param object the object's name with its schema
     * @param mode the lock's mode, in the server's words
     * @param granted false if the session waits for the lock
     * @param session the session that has the lock or waits for it
     * @param statement the session's last statement; null if unknown
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

        /** Whether this request must wait for the other lock. */
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

    /** The sessions that block a session; empty if it waits for no metadata lock. */
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

    /** The last statement of a session with a listed lock; null if unknown. */
    @Nullable
    String statementOf(long session) {
        return locks.stream()
                .filter(lock -> lock.session == session)
                .map(Entry::statement)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Whether a session waits for the lock of a schema change, or has it while another session waits for the table. */
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
