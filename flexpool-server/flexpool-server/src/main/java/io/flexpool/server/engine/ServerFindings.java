// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.State;
import io.flexpool.server.ServerSession.Wait;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.engine.ServerLook.Neighbour;
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
 * What a look at the server adds to a diagnosis: how many leased sessions do what, and which session blocks them. A session is named
 * as the one that blocks only if the look showed every session between it and the leases: not one of a deadlock, not
 * one that the look did not show, and not a connection whose lease has ended since the look.
 *
 * <p>The counts are those of the look. Between the look and the report leases end, mostly the one that held the lock: on a row
 * that many transactions update, the head of the chain changes with each of them while the others still wait.
 */
final class ServerFindings {
    /** Further heads are not named. */
    private static final int MOST_OTHERS = 2;

    /** The leases whose session the look showed, also those that have ended since. */
    int known;
    /** Those that wait for a lock. */
    int waiting;
    /** Those that run, and wait for nothing but processor or disk. */
    int busy;
    /** Those that wait for the application. */
    int idle;
    /** Those of them with an open transaction. */
    int inTransaction;
    /** Those of them whose statement waits until the application reads rows or sends data. */
    int unread;
    /** Those that wait behind a connection of this pool whose lease has ended since the look. */
    int behindEnded;
    /** The longest that a lease has waited for a lock. */
    Duration longestWait = Duration.ZERO;
    /** The longest that a lease's session has been idle in a transaction. */
    Duration longestIdle = Duration.ZERO;
    /** The server's own words for the lock of the one that waits for longest; null if unknown. */
    @Nullable
    String lock;
    /** The session that blocks most of the leases that wait; null if it is not known. */
    final @Nullable Blocker blocker;
    /** Those that wait behind a deadlock of connections of this pool, these included. */
    int behindRing;
    /** The connections of this pool that wait for each other: a deadlock, until the server ends one of them. */
    final List<ServerSession> ring = new ArrayList<>();
    /** The other heads of chains, those that most wait behind first. */
    final List<Blocker> others = new ArrayList<>();

    /** How long before the leases were read the look was, at least. */
    private final long sinceNanos;

    private final ServerLook look;
    private final Map<Long, ServerSession> sessions = new HashMap<>();
    private final Map<Long, OpenLease> leases = new HashMap<>();

    /**
     * A session that others wait for.
     *
     * @param session as the server described it
     * @param lease the lease that it belongs to; null if it is not this pool's
     * @param blocked how many leased connections wait for it, directly or through others
     * @param behind the session that it waits for itself, of a change of the schema; null if for none, or for several
     * @param behindLease the lease that that session belongs to; null if it is not this pool's
     * @param byLease whether its lease took the lock, as far as the figures say; null if an earlier lease may have left it
     */
    record Blocker(
            ServerSession session,
            @Nullable OpenLease lease,
            int blocked,
            @Nullable ServerSession behind,
            @Nullable OpenLease behindLease,
            @Nullable Boolean byLease) {
        /** Whether its session keeps the lock without a transaction, also into later leases. */
        boolean ofSession() {
            return !Boolean.TRUE.equals(byLease) || withoutTransaction(session);
        }
    }

    /**
     * Compares the open leases with one look. What an earlier look said of a lease does not count.
     *
     * @param readNanos when the leases were read
     */
    ServerFindings(List<OpenLease> open, ServerLook look, ServerSnapshot snapshot, long readNanos) {
        this.look = look;
        this.sinceNanos = Math.max(0, readNanos - look.nanos());
        snapshot.sessions().forEach(session -> sessions.put(session.id(), session));
        Set<ServerSession> ofThisLook = Collections.newSetFromMap(new IdentityHashMap<>());
        ofThisLook.addAll(look.byLease().values());
        for (OpenLease lease : open) {
            if (lease.inServer() instanceof ServerSession session && ofThisLook.contains(session)) {
                leases.put(session.id(), lease);
            }
        }
        look.byLease().values().forEach(this::count);
        findRing(look.byLease().values());
        this.blocker = blocker(look.byLease().values());
    }

    /** The lease of a session of this pool; null if it has ended, or is not this pool's. */
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

    /** Only if all of them are this pool's: of another client's, the look may show a part. */
    private void findRing(Collection<ServerSession> ofThisLook) {
        Set<Long> leased = ofThisLook.stream().map(ServerSession::id).collect(Collectors.toSet());
        for (ServerSession session : ofThisLook) {
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
        for (ServerSession session : ofThisLook) {
            Set<Long> chain = chain(session);
            behindRing += ring.stream().anyMatch(one -> chain.contains(one.id())) ? 1 : 0;
        }
    }

    /** Whether at least half of those that wait do so behind connections of this pool that wait for each other. */
    boolean deadlocked() {
        return behindRing > 0 && 2 * behindRing >= waiting;
    }

    // ---- the session that blocks ----

    /** The change of the schema that most wait behind, else the head of the chain that most wait behind. */
    private @Nullable Blocker blocker(Collection<ServerSession> ofThisLook) {
        Map<Long, Integer> byHead = new HashMap<>();
        Map<Long, Integer> byChange = new HashMap<>();
        for (ServerSession session : ofThisLook) {
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

    /** All sessions that one waits for, directly or through others; none if the look did not show all of them. */
    private Set<ServerSession> before(ServerSession waits) {
        Set<ServerSession> before = new LinkedHashSet<>();
        for (long id : chain(waits)) {
            ServerSession session = sessions.get(id);
            // The session itself in its own chain: a deadlock, which the server ends.
            if (session == null || id == waits.id() || ended(session)) {
                return Set.of();
            }
            before.add(session);
        }
        return before;
    }

    /** The numbers of the same sessions, as far as the look showed them. */
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

    /** Whether a session was leased when the look began, and is no longer. */
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
                        // The same figures give the same answer.
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
     * A session's lock stays when the lease ends that took it, and the server does not say since when the session has had
     * it. An earlier lease took it if the session has run nothing since the present one began, or if others have waited
     * since before that; the present one if the last statement of the session is that of a session that waits. A look that
     * took long, on a slow machine, may leave open which was first.
     */
    private @Nullable Boolean byLease(ServerSession session, @Nullable OpenLease lease) {
        Neighbour neighbour = look.neighbours().get(session.id());
        if (lease == null && neighbour == null) {
            // Another client's, of whose leases nothing is known.
            return true;
        }
        // Another pool's lease was read when the look ended.
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
        Duration beyond = longest.minus(begun).minus(ServerLook.CLOCKS_DIFFER);
        if (beyond.compareTo(Duration.ZERO) > 0) {
            return false;
        }
        if (beyond.plusNanos(look.nanos() - look.beganNanos()).compareTo(Duration.ZERO) > 0) {
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
     * Whether at least half of the leases wait for locks, or are the one that the others wait for: of the open ones, or of those that
     * the look showed if it showed half of them.
     */
    boolean lockedUp(int open) {
        boolean head =
                blocker != null && blocker.lease() != null && blocker.session().waitsFor() != Wait.LOCK;
        int stopped = waiting + (head ? 1 : 0);
        return waiting > 0 && (2 * stopped >= Math.max(open, known) || (2 * stopped >= known && 2 * known >= open));
    }

    /** Whether at least half of those that wait do so behind the session that is named. */
    boolean named() {
        return blocker != null && 2 * blocker.blocked() >= waiting;
    }

    /** Whether the lock passes from one connection of this pool to the next: the lease that had it has ended since the look. */
    boolean passesOn() {
        return !named() && !deadlocked() && waiting > 0 && 2 * behindEnded >= waiting;
    }
}
