// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.OwnerToken;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.PoolListener.LeaseInspector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * All tests of one run to which a rule applies, and the leases that they take. JUnit closes it when the run ends.
 * Thread-safe; the pools' threads call it.
 */
final class RuleRun implements AutoCloseable {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<TestScope> running = new ArrayList<>();
    private final Map<FlexPoolDataSource, OpenLease.Inspection> pools = new LinkedHashMap<>();
    /** Pools without reported leases, and the reason. */
    private final Map<FlexPoolDataSource, String> blind = new LinkedHashMap<>();

    private final Map<HeldLease.Key, Open> open = new HashMap<>();
    private final LeaseTimes times = new LeaseTimes();
    /** Call sites that have failed a class. */
    private final Set<String> reported = new TreeSet<>();

    private final OpenPools.Registration births;
    private @Nullable LeaseBaseline baseline;
    private long lastId;

    /** An open lease, and its test. */
    private record Open(TakenLease lease, TestScope scope) {}

    private RuleRun() {
        births = OpenPools.whenBuilt(this::watch);
        OpenPools.list().forEach(this::watch);
    }

    static RuleRun of(ExtensionContext context, Namespace namespace) {
        return context.getRoot()
                .getStore(namespace)
                .getOrComputeIfAbsent(RuleRun.class, key -> new RuleRun(), RuleRun.class);
    }

    /** The run; null if no rule has applied so far: then no pool is inspected. */
    static @Nullable RuleRun ofRules(ExtensionContext context, Namespace namespace) {
        return context.getRoot().getStore(namespace).get(RuleRun.class, RuleRun.class);
    }

    /** Compares the times of leases, or writes them. */
    void compareWith(LeaseBaseline with) {
        lock.lock();
        try {
            baseline = with;
        } finally {
            lock.unlock();
        }
    }

    private void watch(FlexPoolDataSource pool) {
        lock.lock();
        try {
            if (!pools.containsKey(pool) && !blind.containsKey(pool)) {
                pools.put(pool, pool.inspectLeases(new Inspector(pool)));
            }
            running.forEach(scope -> scope.watched = true);
        } catch (IllegalStateException withoutCallSites) {
            blind.put(pool, String.valueOf(withoutCallSites.getMessage()));
        } finally {
            lock.unlock();
        }
    }

    /** Passes on the leases of one pool. */
    private final class Inspector implements LeaseInspector {
        private final FlexPoolDataSource pool;

        Inspector(FlexPoolDataSource pool) {
            this.pool = pool;
        }

        @Override
        public void acquired(long number, @Nullable String callSite) {
            taken(new HeldLease.Key(pool, number), callSite);
        }

        @Override
        public void released(long number, String callSite, Duration held) {
            ended(new HeldLease.Key(pool, number), callSite, held);
        }
    }

    /** Called on the thread that takes a lease. */
    private void taken(HeldLease.Key key, @Nullable String callSite) {
        long thread = Thread.currentThread().getId();
        lock.lock();
        try {
            TestScope scope = running.stream()
                    .filter(one -> one.runsOn(thread))
                    .findFirst()
                    .orElse(running.size() == 1 ? running.get(0) : null);
            if (scope == null) {
                return;
            }
            TakenLease lease = new TakenLease(++lastId, key.pool().name(), callSite, thread);
            scope.taken.add(lease);
            if (callSite != null) {
                open.put(key, new Open(lease, scope));
            }
            // A token's lease is not held by the thread's work.
            if (scope.recording != null && OwnerToken.currentId() == thread) {
                LeaseMark.begins(lease);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Called on the thread that ends a lease. */
    private void ended(HeldLease.Key key, String callSite, Duration held) {
        lock.lock();
        try {
            Open lease = open.remove(key);
            if (lease == null) {
                return;
            }
            if (lease.scope().recording != null) {
                LeaseMark.ends(lease.lease());
            }
            ClassScope around = lease.scope().around();
            String site = LeaseBaseline.withoutLine(callSite);
            if (baseline != null && around != null) {
                String test = lease.scope().method();
                around.times.add(site, test, held);
                times.add(site, around.title() + "." + test, held);
            }
        } finally {
            lock.unlock();
        }
    }

    void begin(TestScope scope) {
        // Started before the lock, because it takes longest, and only later leases get marks.
        IoRecording recording = scope.noIo() ? IoRecording.start() : null;
        lock.lock();
        try {
            scope.recording = recording;
            scope.watched = pools.keySet().stream().anyMatch(pool -> !pool.closed())
                    || blind.keySet().stream().anyMatch(pool -> !pool.closed());
            running.add(scope);
        } finally {
            lock.unlock();
        }
    }

    /** Ends a test; returns its violations, or empty. */
    Optional<String> end(TestScope scope, boolean passed) {
        IoRecording recording;
        List<String> unseen;
        List<TakenLease> taken;
        lock.lock();
        try {
            running.remove(scope);
            recording = scope.recording;
            scope.recording = null;
            if (scope.around() != null) {
                scope.around().tested(passed, scope.watched);
            }
            pools.keySet().removeIf(FlexPoolDataSource::closed);
            blind.keySet().removeIf(FlexPoolDataSource::closed);
            unseen = List.copyOf(blind.values());
            taken = List.copyOf(scope.taken);
        } finally {
            lock.unlock();
        }
        List<IoRecording.Found> io = recording == null ? List.of() : recording.stop(taken);
        return RuleText.of(scope, io, unseen, passed);
    }

    /** Ends a class; returns its slow call sites, or empty. */
    Optional<String> end(ClassScope scope) {
        lock.lock();
        try {
            if (scope.passedUnwatched()) {
                return Optional.of(RuleText.unwatched(scope.title()));
            }
            LeaseBaseline with = baseline;
            if (with == null || with.written() || !scope.isOutermost()) {
                return Optional.empty();
            }
            List<String> slow = new ArrayList<>();
            for (String site : scope.times.names()) {
                // A call site with few leases in each class is checked over the whole run.
                LeaseTimes its = scope.times.has(site) ? scope.times : times;
                its.tooSlow(site, with)
                        .filter(said -> its == scope.times || reported.add(site))
                        .ifPresent(slow::add);
            }
            return slow.isEmpty() ? Optional.empty() : Optional.of(RuleText.slow(scope.title(), slow));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        births.close();
        lock.lock();
        try {
            pools.values().forEach(OpenLease.Inspection::close);
            pools.clear();
            open.clear();
            if (baseline != null && baseline.written()) {
                baseline.write(new TreeMap<>(times.medians()));
            }
        } finally {
            lock.unlock();
        }
    }
}
