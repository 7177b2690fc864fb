// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.session.SessionStates.LeftState;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The state that the leases of one pool have left, counted by kind and by origin. Bounded. Thread-safe. */
final class LeftLog {
    /** Bounds the memory for applications whose statements differ each time. */
    private static final int MOST_ORIGINS = 100;

    private final Map<Origin, AtomicLong> origins = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> kinds = new ConcurrentHashMap<>();

    /**
     * The origin of a state.
     *
     * @param kind the kind of state
     * @param name the name of the state; null without a name
     * @param statement the statement without literals, or the method of JDBC
     * @param callSite the application's call site; null if unknown
     */
    record Origin(
            String kind,
            @Nullable String name,
            String statement,
            @Nullable String callSite) {
        /** The origin of another state, set by the same statement. */
        Origin of(String otherKind, @Nullable String otherName) {
            return new Origin(otherKind, otherName, statement, callSite);
        }

        /** A clause: state, statement and call site. */
        String words() {
            return kind + (name == null ? "" : " " + name) + " by \"" + statement + "\""
                    + (callSite == null ? "" : " at " + callSite);
        }

        /** The origin for programs: {@code kind}, {@code statement}, and {@code name} and {@code callSite} if known. */
        Map<String, String> facts() {
            Map<String, String> facts = new LinkedHashMap<>();
            facts.put("kind", kind);
            if (name != null) {
                facts.put("name", name);
            }
            facts.put("statement", statement);
            if (callSite != null) {
                facts.put("callSite", callSite);
            }
            return facts;
        }
    }

    /** Counts a state; returns whether it is the first of its origin. */
    boolean left(Origin origin) {
        kinds.computeIfAbsent(origin.kind(), kind -> new AtomicLong()).incrementAndGet();
        AtomicLong counted = origins.get(origin);
        if (counted == null) {
            if (origins.size() >= MOST_ORIGINS) {
                return false;
            }
            counted = origins.computeIfAbsent(origin, of -> new AtomicLong());
        }
        return counted.getAndIncrement() == 0;
    }

    /**
     * Whether another statement has left the same state. Locks match by kind, because a lock is named by its argument
     * or its number.
     */
    boolean isOfAnother(Origin origin) {
        return origins.keySet().stream()
                .anyMatch(other -> other.kind().equals(origin.kind())
                        && !other.statement().equals(origin.statement())
                        && (StateKind.isLock(origin.kind()) || Objects.equals(other.name(), origin.name())));
    }

    Map<String, Long> kinds() {
        Map<String, Long> sums = new TreeMap<>();
        kinds.forEach((kind, count) -> sums.put(kind, count.get()));
        return Collections.unmodifiableMap(sums);
    }

    /** The states by descending count; equal counts by descending harm. */
    List<LeftState> all() {
        return origins.entrySet().stream()
                .map(entry ->
                        (LeftState) new Counted(entry.getKey(), entry.getValue().get()))
                .sorted(Comparator.comparingLong(LeftState::leases)
                        .reversed()
                        .thenComparingInt(left -> StateKind.rank(left.kind()))
                        .thenComparing(LeftState::statement))
                .toList();
    }

    private record Counted(Origin origin, long leases) implements LeftState {
        @Override
        public String kind() {
            return origin.kind();
        }

        @Override
        public @Nullable String name() {
            return origin.name();
        }

        @Override
        public String statement() {
            return origin.statement();
        }

        @Override
        public @Nullable String callSite() {
            return origin.callSite();
        }
    }
}
