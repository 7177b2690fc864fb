// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.CloseWatch;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.PoolWatch;
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
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * All tests of one run: which of them run now, at which pools they look, and what has been told already. JUnit closes it
 * when the run ends. Thread-safe; pools and their listeners may call from any thread.
 *
 * <p>Who is to blame for a connection that is out: the test whose own thread took it, or the test that runs alone. If
 * others run beside it, nobody can know, and it may be in good hands still: it is put {@link #aside} until the last of
 * them ends.
 */
final class TestRun implements AutoCloseable {
    private static final long LOOK_AGAIN_NANOS = 2_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final List<Scope> running = new ArrayList<>();
    private final Map<FlexPoolDataSource, CloseWatch> pools = new LinkedHashMap<>();
    /** Leases that a test has failed for, or that a test was allowed to leave. */
    private final Set<Out.Key> told = new HashSet<>();
    /** Leases and nested acquisitions of threads that no test owns, while several tests ran. */
    private final Set<Out.Key> aside = new HashSet<>();

    private final List<String> nestedAside = new ArrayList<>();
    private final PoolWatch births;

    private TestRun() {
        births = FlexPool.whenBuilt(this::look);
        FlexPool.pools().forEach(this::look);
    }

    static TestRun of(ExtensionContext context, Namespace namespace) {
        return context.getRoot()
                .getStore(namespace)
                .getOrComputeIfAbsent(TestRun.class, key -> new TestRun(), TestRun.class);
    }

    private void look(FlexPoolDataSource pool) {
        lock.lock();
        try {
            if (!pools.containsKey(pool)) {
                pools.put(pool, pool.watchClosely(event -> nested(pool, event)));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Called on the thread that asks, while it holds at least one. */
    private void nested(FlexPoolDataSource pool, PoolEvent.NestedAcquisition event) {
        long thread = Thread.currentThread().getId();
        lock.lock();
        try {
            List<Scope> looking =
                    running.stream().filter(scope -> scope.looksAt(pool)).toList();
            if (looking.isEmpty() || holdsOnlyWhatLeaked(pool, thread, looking)) {
                return;
            }
            // The innermost began last.
            Optional<Scope> owner =
                    looking.stream().filter(scope -> scope.runsOn(thread)).reduce((outer, inner) -> inner);
            if (owner.isEmpty() && areOne(looking)) {
                owner = looking.stream().reduce((outer, inner) -> inner);
            }
            if (owner.isPresent()) {
                owner.get().nested.add(Verdict.describe(event));
            } else if (looking.stream().noneMatch(Scope::mayNest)) {
                nestedAside.add(Verdict.describe(event));
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * What an earlier test leaked stays with the thread, which is not the fault of one that runs now. What was put aside when a
     * test ended may be of another that still runs, unless it was out before all of these began.
     */
    private boolean holdsOnlyWhatLeaked(FlexPoolDataSource pool, long thread, List<Scope> looking) {
        CloseWatch watch = pools.get(pool);
        return watch != null
                && watch.openLeases().entrySet().stream()
                        .filter(open -> open.getValue().threadId() == thread)
                        .map(open -> new Out.Key(pool, open.getKey()))
                        .allMatch(key -> told.contains(key)
                                || (aside.contains(key)
                                        && looking.stream().allMatch(scope -> scope.before.contains(key))));
    }

    private static boolean areOne(List<Scope> scopes) {
        return scopes.stream().noneMatch(one -> scopes.stream().anyMatch(one::isApartFrom));
    }

    void begin(Scope scope) {
        scope.told().forEach(this::look);
        lock.lock();
        try {
            for (Scope other : running) {
                if (other.isApartFrom(scope)) {
                    other.beside.add(scope.title());
                    scope.beside.add(other.title());
                }
            }
            running.add(scope);
            out(scope).forEach(out -> scope.before.add(out.key()));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends a test and says what is wrong.
     *
     * @return for whoever reads the failure; empty if all came back
     */
    Optional<String> end(Scope scope, Duration grace) {
        Set<Out.Key> suspects = stop(scope);
        List<Out> leaked = stillOut(scope, suspects);
        long end = System.nanoTime() + grace.toNanos();
        while (!leaked.isEmpty() && !scope.mayLeak() && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            leaked = stillOut(scope, suspects);
        }
        lock.lock();
        try {
            leaked.forEach(out -> told.add(out.key()));
            forgetClosedPools();
        } finally {
            lock.unlock();
        }
        return Verdict.of(scope, scope.mayLeak() ? List.of() : leaked, grace);
    }

    /** Whoever is to blame for what: under one lock, so that of two tests that end at once one is the last. */
    private Set<Out.Key> stop(Scope scope) {
        lock.lock();
        try {
            running.remove(scope);
            boolean last = running.stream().noneMatch(scope::isApartFrom);
            Set<Out.Key> suspects = new HashSet<>();
            for (Out out : out(scope)) {
                Out.Key key = out.key();
                if (told.contains(key)) {
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

    private List<Out> stillOut(Scope scope, Set<Out.Key> suspects) {
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

    /** All that is out of the pools that a test looks at. */
    private List<Out> out(Scope scope) {
        List<Out> all = new ArrayList<>();
        pools.forEach((pool, watch) -> {
            if (scope.looksAt(pool)) {
                watch.openLeases().forEach((number, lease) -> all.add(new Out(new Out.Key(pool, number), lease)));
            }
        });
        return all;
    }

    /** A pool that is closed and has all its connections back will lend no more. */
    private void forgetClosedPools() {
        pools.keySet().removeIf(pool -> pool.closed() && pool.openLeases().isEmpty());
        told.removeIf(key -> !pools.containsKey(key.pool()));
        aside.removeIf(key -> !pools.containsKey(key.pool()));
    }

    @Override
    public void close() {
        births.close();
        lock.lock();
        try {
            pools.values().forEach(PoolWatch::close);
            pools.clear();
        } finally {
            lock.unlock();
        }
    }
}
