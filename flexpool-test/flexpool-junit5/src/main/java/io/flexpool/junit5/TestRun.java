// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.OwnerToken;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.PoolEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * All tests of one run: the running scopes, the pools they check, and the leaks already reported. JUnit closes it when
 * the run ends. Thread-safe; pools and their listeners may call from any thread.
 *
 * <p>An open lease is attributed to the test of the thread that took it, or to the test that runs alone. If tests run
 * in parallel, the lease of another thread has an unknown owner and may still be in use: it is put {@link #aside} until
 * the last of these tests ends, which reports it. Failing all of them would fail correct tests, and failing none would
 * hide the leak.
 */
final class TestRun implements AutoCloseable {
    private static final long LOOK_AGAIN_NANOS = 2_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Scope> running = new ArrayList<>();
    private final Map<FlexPoolDataSource, OpenLease.Inspection> pools = new LinkedHashMap<>();
    /** Leases that have failed a test, or that a test was allowed to leave open. */
    private final Set<HeldLease.Key> reported = new HashSet<>();
    /** Leases and nested acquisitions of threads that no test owns, from times of parallel tests. */
    private final Set<HeldLease.Key> aside = new HashSet<>();

    private final List<String> nestedAside = new ArrayList<>();
    private final OpenPools.Registration births;

    private TestRun() {
        births = OpenPools.whenBuilt(this::watch);
        OpenPools.list().forEach(this::watch);
    }

    static TestRun of(ExtensionContext context, Namespace namespace) {
        return context.getRoot()
                .getStore(namespace)
                .getOrComputeIfAbsent(TestRun.class, key -> new TestRun(), TestRun.class);
    }

    private void watch(FlexPoolDataSource pool) {
        lock.lock();
        try {
            if (!pools.containsKey(pool)) {
                // Captures all call sites, because samples would miss most leaks, and reports nested acquisitions also
                // in pools with free connections.
                pools.put(pool, pool.inspectLeases(event -> nested(pool, event)));
            }
            running.forEach(scope -> scope.watched |= scope.looksAt(pool));
        } finally {
            lock.unlock();
        }
    }

    /** Called on the requesting thread, while it holds at least one connection. */
    private void nested(FlexPoolDataSource pool, PoolEvent.NestedAcquisition event) {
        long thread = Thread.currentThread().getId();
        lock.lock();
        try {
            List<Scope> looking =
                    running.stream().filter(scope -> scope.looksAt(pool)).toList();
            Optional<HeldLease> held = held(pool, OwnerToken.currentId(), looking);
            if (held.isEmpty()) {
                return;
            }
            String said = Verdict.describe(event, held.get());
            // The innermost scope began last.
            Optional<Scope> owner =
                    looking.stream().filter(scope -> scope.runsOn(thread)).reduce((outer, inner) -> inner);
            if (owner.isEmpty() && areOne(looking)) {
                owner = looking.stream().reduce((outer, inner) -> inner);
            }
            if (owner.isPresent()) {
                owner.get().nested.add(said);
            } else if (looking.stream().noneMatch(Scope::mayNest)) {
                nestedAside.add(said);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * The lease of a thread, or of its token, that belongs to a running test; the longest held of several. A lease
     * leaked by an earlier test stays with its thread and is not attributed to a running test. A lease put aside when a
     * test ended may belong to another running test, unless it was open before all running tests began.
     */
    private Optional<HeldLease> held(FlexPoolDataSource pool, long holder, List<Scope> looking) {
        OpenLease.Inspection watch = pools.get(pool);
        return looking.isEmpty() || watch == null
                ? Optional.empty()
                : leases(pool, watch)
                        .filter(held -> held.lease().threadId() == holder)
                        .filter(held -> !reported.contains(held.key())
                                && !(aside.contains(held.key())
                                        && looking.stream().allMatch(scope -> scope.before.contains(held.key()))))
                        .min(HeldLease.LONGEST_FIRST);
    }

    private static Stream<HeldLease> leases(FlexPoolDataSource pool, OpenLease.Inspection watch) {
        return watch.openLeases().entrySet().stream()
                .map(open -> new HeldLease(new HeldLease.Key(pool, open.getKey()), open.getValue()));
    }

    private static boolean areOne(List<Scope> scopes) {
        return scopes.stream().noneMatch(one -> scopes.stream().anyMatch(one::isApartFrom));
    }

    void begin(Scope scope) {
        scope.chosen().forEach(this::watch);
        lock.lock();
        try {
            for (Scope other : running) {
                if (other.isApartFrom(scope)) {
                    other.beside.add(scope.title());
                    scope.beside.add(other.title());
                }
            }
            running.add(scope);
            scope.watched = pools.keySet().stream().anyMatch(pool -> scope.looksAt(pool) && !pool.closed());
            out(scope).forEach(out -> scope.before.add(out.key()));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends a test and reports its failures.
     *
     * @return the failure message; empty if all connections were returned
     */
    Optional<String> end(Scope scope, Duration grace) {
        Set<HeldLease.Key> suspects = stop(scope);
        List<HeldLease> leaked = stillOut(scope, suspects);
        long end = System.nanoTime() + grace.toNanos();
        while (!leaked.isEmpty() && !scope.mayLeak() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            leaked = stillOut(scope, suspects);
        }
        lock.lock();
        try {
            leaked.forEach(out -> reported.add(out.key()));
            forgetClosedPools();
        } finally {
            lock.unlock();
        }
        return Verdict.of(scope, scope.mayLeak() ? List.of() : leaked, grace);
    }

    /** Attributes leases to tests: under one lock, so that one of two tests that end at the same time is the last. */
    private Set<HeldLease.Key> stop(Scope scope) {
        lock.lock();
        try {
            running.remove(scope);
            running.stream().filter(outer -> !outer.isApartFrom(scope)).forEach(outer -> outer.passed |= scope.passed);
            boolean last = running.stream().noneMatch(scope::isApartFrom);
            Set<HeldLease.Key> suspects = new HashSet<>();
            for (HeldLease out : out(scope)) {
                HeldLease.Key key = out.key();
                if (reported.contains(key)) {
                    continue;
                }
                boolean fresh = !scope.before.contains(key);
                if (fresh
                        && (last || scope.mayLeak() || scope.runsOn(out.lease().threadId()))) {
                    suspects.add(key);
                } else if (fresh) {
                    aside.add(key);
                } else if (last && aside.contains(key)) {
                    suspects.add(key);
                }
            }
            if (last) {
                scope.nested.addAll(nestedAside);
                nestedAside.clear();
            }
            aside.removeAll(suspects);
            return suspects;
        } finally {
            lock.unlock();
        }
    }

    private List<HeldLease> stillOut(Scope scope, Set<HeldLease.Key> suspects) {
        lock.lock();
        try {
            return suspects.isEmpty()
                    ? List.of()
                    : out(scope).stream()
                            .filter(out -> suspects.contains(out.key()))
                            .toList();
        } finally {
            lock.unlock();
        }
    }

    /** All open leases of the pools that a test checks, the longest held first. */
    private List<HeldLease> out(Scope scope) {
        return pools.entrySet().stream()
                .filter(pool -> scope.looksAt(pool.getKey()))
                .flatMap(pool -> leases(pool.getKey(), pool.getValue()))
                .sorted(HeldLease.LONGEST_FIRST)
                .toList();
    }

    /** A closed pool without open leases lends no more connections. */
    private void forgetClosedPools() {
        pools.keySet().removeIf(pool -> pool.closed() && pool.openLeases().isEmpty());
        reported.removeIf(key -> !pools.containsKey(key.pool()));
        aside.removeIf(key -> !pools.containsKey(key.pool()));
    }

    @Override
    public void close() {
        births.close();
        lock.lock();
        try {
            pools.values().forEach(OpenLease.Inspection::close);
            pools.clear();
        } finally {
            lock.unlock();
        }
    }
}
