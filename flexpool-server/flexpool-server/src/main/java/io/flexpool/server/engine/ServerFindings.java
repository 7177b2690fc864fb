// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.State;
import io.flexpool.server.ServerSession.Wait;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.engine.ServerQueryResult.Neighbour;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The findings of one query of the server for a diagnosis: the leased sessions counted by activity, and the session
 * that blocks them. A blocker is named only if the result contains every session between it and the leases. So no
 * session of a deadlock is named, and no connection whose lease has ended since.
 *
 * <p>The counts are those at the query. Until the report, leases end, most often the blocker's: if many transactions
 * update one row, each becomes the head of the chain in turn while the others still wait.
 */
final class ServerFindings {
    /** The maximum number of further heads of chains that are named. */
    private static final int MOST_OTHERS = 2;

    /** Leases with a session in the result, including leases that have ended since. */
    int known;
    /** Sessions that wait for a lock. */
    int waiting;
    /** Sessions that run, on processor or disk. */
    int busy;
    /** Sessions that wait for the application. */
    int idle;
    /** Idle sessions with an open transaction. */
    int inTransaction;
    /** Idle sessions with a statement that waits until the application reads rows or sends data. */
    int unread;
    /** Sessions that wait behind a connection of this pool whose lease has ended since the query. */
    int behindEnded;
    /** The longest wait of a lease for a lock. */
    Duration longestWait = Duration.ZERO;
    /** The longest time for which a lease's session has been idle in a transaction. */
    Duration longestIdle = Duration.ZERO;
    /** The server's words for the lock with the longest wait; null if unknown. */
    @Nullable
    String lock;
    /** The session that blocks most of the waiting leases; null if unknown. */
    final @Nullable Blocker blocker;
    /** Sessions that wait behind a deadlock within this pool, including those in the deadlock. */
    int behindRing;
    /** Sessions of this pool that wait for each other: a deadlock, until the server ends one of them. */
    final List<ServerSession> ring = new ArrayList<>();
    /** The other heads of chains, by the number of sessions that wait behind them, descending. */
    final List<Blocker> others = new ArrayList<>();

    /** The shortest possible time from the query to the reading of the leases. */
    private final long sinceNanos;

    private final ServerQueryResult result;
    private final Map<Long, ServerSession> sessions = new HashMap<>();
    private final Map<Long, OpenLease> leases = new HashMap<>();

    /**
     * A session for which others wait.
     *
     * @param session the server's report on the session
     * @param lease the session's lease; null for a session outside this pool
     * @param blocked the number of leased connections that wait for it, directly or through others
     * @param behind the head of the chain for which this session waits itself; null without a head, or with several
     * @param behindLease the lease of {@code behind}; null for a session outside this pool
     * @param byLease whether the current lease took the lock; null if unknown, because an earlier lease may have left
     *     it
     */
    record Blocker(
            ServerSession session,
            @Nullable OpenLease lease,
            int blocked,
            @Nullable ServerSession behind,
            @Nullable OpenLease behindLease,
            @Nullable Boolean byLease) {
        /** Whether the session keeps the lock without a transaction, so that it passes to later leases. */
        boolean ofSession() {
            return !Boolean.TRUE.equals(byLease) || withoutTransaction(session);
        }
    }

    /**
     * Compares the open leases with one result. Ignores sessions that leases have from earlier queries.
     *
     * @param readNanos when the leases were read
     */
    ServerFindings(List<OpenLease> open, ServerQueryResult result, ServerSnapshot snapshot, long readNanos) {
        this.result = result;
        this.sinceNanos = Math.max(0, readNanos - result.nanos());
        snapshot.sessions().forEach(session -> sessions.put(session.id(), session));
        Set<ServerSession> ofThisQuery = Collections.newSetFromMap(new IdentityHashMap<>());
        ofThisQuery.addAll(result.byLease().values());
        for (OpenLease lease : open) {
            if (lease.inServer() instanceof ServerSession session && ofThisQuery.contains(session)) {
                leases.put(session.id(), lease);
            }
        }
        result.byLease().values().forEach(this::count);
        findRing(result.byLease().values());
        this.blocker = blocker(result.byLease().values());
    }

    /** The open lease of a session; null if it has ended, or belongs to another pool. */
    @Nullable
    OpenLease lease(ServerSession session) {
        return leases.get(session.id());
    }

    private void count(ServerSession session) {
        known++;
        boolean idles = session.state() == State.IDLE || session.state() == State.IDLE_IN_TRANSACTION;
        if (session.waitsFor() == Wait.LOCK) {
            waiting++;
            Duration since = orZero(session.inState());
            if (lock == null || since.compareTo(longestWait) > 0) {
                longestWait = since;
                lock = session.waitEvent();
            }
        } else if (idles) {
            idle++;
            if (session.state() == State.IDLE_IN_TRANSACTION) {
                inTransaction++;
                Duration since = orZero(session.inState());
                longestIdle = since.compareTo(longestIdle) > 0 ? since : longestIdle;
            }
        } else if (session.state() == State.RUNNING && session.waitsFor() == Wait.CLIENT) {
            idle++;
            unread++;
        } else if (session.state() == State.RUNNING
                && (session.waitsFor() == Wait.NONE || session.waitsFor() == Wait.IO)) {
            busy++;
        }
    }

    private static Duration orZero(@Nullable Duration unknown) {
        return unknown == null ? Duration.ZERO : unknown;
    }

    // ---- sessions that wait for each other ----

    /**
     * Finds a deadlock only if all its sessions belong to this pool: of other clients' sessions the result may lack
     * some.
     */
    private void findRing(Collection<ServerSession> ofThisQuery) {
        Set<Long> leased = ofThisQuery.stream().map(ServerSession::id).collect(Collectors.toSet());
        for (ServerSession session : ofThisQuery) {
            Set<Long> chain = chain(session);
            boolean ours = chain.contains(session.id())
                    && chain.stream()
                            .filter(id -> sessions.containsKey(id)
                                    && chain(session(id)).contains(session.id()))
                            .allMatch(leased::contains);
            if (ours) {
                ring.add(session);
            }
        }
        ring.sort(Comparator.comparingLong(ServerSession::id));
        for (ServerSession session : ofThisQuery) {
            Set<Long> chain = chain(session);
            behindRing += ring.stream().anyMatch(one -> chain.contains(one.id())) ? 1 : 0;
        }
    }

    /** Whether at least half of the waiting sessions wait behind a deadlock within this pool. */
    boolean deadlocked() {
        return behindRing > 0 && 2 * behindRing >= waiting;
    }

    // ---- the session that blocks ----

    /**
     * The schema change with the most sessions behind it, if at least half of all wait there; otherwise the head of the
     * longest chain.
     */
    private @Nullable Blocker blocker(Collection<ServerSession> ofThisQuery) {
        Map<Long, Integer> byHead = new HashMap<>();
        Map<Long, Integer> byChange = new HashMap<>();
        for (ServerSession session : ofThisQuery) {
            if (session.waitsFor() == Wait.LOCK) {
                Set<ServerSession> before = before(session);
                behindEnded += chain(session).stream().map(sessions::get).anyMatch(this::ended) ? 1 : 0;
                heads(before).forEach(head -> byHead.merge(head.id(), 1, Integer::sum));
                before.stream()
                        .filter(ServerSession::schemaChange)
                        .forEach(change -> byChange.merge(change.id(), 1, Integer::sum));
            }
        }
        Blocker change = most(byChange);
        if (change != null && 2 * change.blocked() >= waiting) {
            return change;
        }
        Blocker first = most(byHead);
        for (Blocker next = first; next != null && others.size() < MOST_OTHERS; ) {
            byHead.remove(next.session().id());
            next = most(byHead);
            if (next != null) {
                others.add(next);
            }
        }
        return first;
    }

    /** All sessions for which a session waits, directly or through others; empty if the result lacks one of them. */
    private Set<ServerSession> before(ServerSession waits) {
        Set<ServerSession> before = new LinkedHashSet<>();
        for (long id : chain(waits)) {
            ServerSession session = sessions.get(id);
            // A session in its own chain is in a deadlock, which the server ends.
            if (session == null || id == waits.id() || ended(session)) {
                return Set.of();
            }
            before.add(session);
        }
        return before;
    }

    /** The ids of the sessions for which a session waits, as far as the result contains them. */
    private Set<Long> chain(ServerSession waits) {
        Set<Long> chain = new LinkedHashSet<>();
        Deque<Long> next = new ArrayDeque<>(waits.blockedBy());
        while (!next.isEmpty()) {
            long id = next.removeFirst();
            ServerSession session = sessions.get(id);
            if (chain.add(id) && session != null) {
                next.addAll(session.blockedBy());
            }
        }
        return chain;
    }

    /** Whether a session was leased when the query began, and its lease has ended since. */
    private boolean ended(@Nullable ServerSession session) {
        return session != null && session.asked() && !leases.containsKey(session.id());
    }

    private static List<ServerSession> heads(Set<ServerSession> before) {
        return before.stream().filter(session -> session.blockedBy().isEmpty()).toList();
    }

    private @Nullable Blocker most(Map<Long, Integer> blocked) {
        return blocked.entrySet().stream()
                .max(Map.Entry.<Long, Integer>comparingByValue()
                        .thenComparing(entry -> orZero(session(entry.getKey()).inTransaction()))
                        // Makes the choice between equals deterministic.
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(entry -> blocker(session(entry.getKey()), entry.getValue()))
                .orElse(null);
    }

    private Blocker blocker(ServerSession session, int blocked) {
        List<ServerSession> heads = heads(before(session));
        ServerSession behind = heads.size() == 1 ? heads.get(0) : null;
        OpenLease lease = leases.get(session.id());
        return new Blocker(
                session,
                lease,
                blocked,
                behind,
                behind == null ? null : leases.get(behind.id()),
                byLease(session, lease));
    }

    static boolean withoutTransaction(ServerSession session) {
        return session.state() == State.IDLE && session.inTransaction() == null;
    }

    /**
     * Whether the current lease took the session's lock; null if unknown. A session keeps a session lock after the
     * lease that took it, and the server does not report when it was taken. An earlier lease took it if the session has
     * run no statement since the current lease began, or if others have waited since before that. The current lease
     * took it if the session's last statement equals a waiting session's statement. A slow query may leave the order
     * unknown.
     */
    private @Nullable Boolean byLease(ServerSession session, @Nullable OpenLease lease) {
        Neighbour neighbour = result.neighbours().get(session.id());
        if (lease == null && neighbour == null) {
            // A session outside this JVM has no leases: its client took the lock.
            return true;
        }
        // Another pool's lease was read at the end of the query.
        Duration begun = lease != null
                ? lease.age().minusNanos(sinceNanos)
                : Objects.requireNonNull(neighbour).lease().age();
        List<ServerSession> behind = sessions.values().stream()
                .filter(other ->
                        other.waitsFor() == Wait.LOCK && other.blockedBy().contains(session.id()))
                .toList();
        if (!withoutTransaction(session) && behind.stream().noneMatch(ServerSession::sessionLock)) {
            return true;
        }
        Duration longest = Stream.concat(Stream.of(session), behind.stream())
                .map(one -> orZero(one.inState()))
                .max(Comparator.naturalOrder())
                .orElseThrow();
        Duration beyond = longest.minus(begun).minus(ServerQueryResult.CLOCKS_DIFFER);
        if (beyond.compareTo(Duration.ZERO) > 0) {
            return false;
        }
        if (beyond.plusNanos(result.nanos() - result.beganNanos()).compareTo(Duration.ZERO) > 0) {
            return null;
        }
        String last = session.statement();
        boolean its = last != null && behind.stream().anyMatch(other -> last.equals(other.statement()));
        return its ? true : null;
    }

    private ServerSession session(long id) {
        return Objects.requireNonNull(sessions.get(id));
    }

    /**
     * Whether at least half of the leases wait for locks, or block the waiting ones. Counts the open leases, or, if the
     * result has at least half of these, only those in the result.
     */
    boolean lockedUp(int open) {
        boolean head =
                blocker != null && blocker.lease() != null && blocker.session().waitsFor() != Wait.LOCK;
        int stopped = waiting + (head ? 1 : 0);
        return waiting > 0 && (2 * stopped >= Math.max(open, known) || (2 * stopped >= known && 2 * known >= open));
    }

    /** Whether at least half of the waiting sessions wait behind the named blocker. */
    boolean named() {
        return blocker != null && 2 * blocker.blocked() >= waiting;
    }

    /**
     * Whether the lock passes from one connection of this pool to the next: the blocker's lease has ended since the
     * query.
     */
    boolean passesOn() {
        return !named() && !deadlocked() && waiting > 0 && 2 * behindEnded >= waiting;
    }
}
