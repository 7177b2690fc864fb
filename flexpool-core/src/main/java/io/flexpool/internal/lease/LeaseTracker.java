// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.diagnostics.CallSiteStatistics;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.Activity;
import io.flexpool.diagnostics.OpenLease.SessionState;
import io.flexpool.event.PoolListener.LeaseInspector;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.Values;
import io.flexpool.internal.context.Insight;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestClasses;
import io.flexpool.internal.context.RequestOwner;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.jdbc.LeaseOwner;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.lease.CallSites.CallSite;
import io.flexpool.internal.lease.LeakDetector.Suspect;
import io.flexpool.internal.record.LeaseLog;
import io.flexpool.internal.record.StripedCounter;
import io.flexpool.internal.shared.PlainText;
import io.flexpool.pool.PoolState;
import io.flexpool.pool.Ticker;
import io.flexpool.spi.PartContext.Leased;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the open leases of one pool: their begin, their calls into the database and their end; and creates the views
 * of them. The methods of the section "for each call" run on the application's threads.
 *
 * <p>Call sites are sampled: a slot's first lease, then one in {@code call-sites.sample-every}, at most one in 50 ms. A
 * walk of the stack takes 2 to 10 µs, but 35 to 90 µs where it is rare and its code cold. During an alert
 * ({@link CaptureAlert}) one is captured every 50 ms; the other affected leases keep their stacks
 * ({@link RequestTrace}), so that every holder has a name. A leak suspect keeps the alert active for ten minutes.
 */
public final class LeaseTracker {
    private static final int LONGEST_STATEMENT = 200;

    /**
     * A slot's call sites are not sampled more often than this. Code that runs rarely is cold, and then the shortest
     * walk of the stack costs 35 to 90 µs. So sampling takes at most about two thousandths of a thread's time, however
     * fast its leases follow each other; up to 5,000 leases a second it is one in 256.
     */
    private static final long SAMPLE_GAP_NANOS = 50_000_000;

    final LeaseTable table;
    private final CallSites sites;
    private final LeakDetector leaks;
    /** Null if the pool never takes a leased connection back. */
    private final @Nullable TakenBack takenBack;

    private final ListenerGuard listeners;
    private final String name;
    private final Ticker ticker;
    private final boolean captures;
    private final int sampleEvery;
    private final long sampleGapNanos;
    private final boolean timed;
    private final boolean statementText;
    /** Whether leased connections are marked by an eviction, because the pool would keep them. */
    private final boolean marksEvicted;
    /** Whether a slot refers to its connection: to end or mark it, or for a part. Set before the first lease. */
    private boolean keepsConnections;

    private final Insight insight;
    private final @Nullable RequestClasses classes;
    /** The flags that a lease's word holds beside its place. Set before the first lease. */
    private int flags;

    private final CaptureAlert alert;
    private final LeaseLog log;
    /** The inspectors, by the keys of the alert. */
    final Map<Object, LeaseInspector> inspections;

    public LeaseTracker(PoolContext context, int expected) {
        this(context, expected, new ConcurrentHashMap<>());
    }

    /** Creates a tracker with the map of the inspectors, which many threads read. */
    LeaseTracker(PoolContext context, int expected, Map<Object, LeaseInspector> inspections) {
        this.inspections = inspections;
        Values values = context.config().values();
        int sampleEvery = values.count(CoreKey.CALL_SITES_SAMPLE_EVERY);
        this.timed = values.flag(CoreKey.TIME_IN_DATABASE);
        this.table = new LeaseTable(context.gate(), context.recorder(), expected, StripedCounter.stripes());
        this.sites = new CallSites(
                ApplicationCode.of(
                        values.texts(CoreKey.CALL_SITES_APPLICATION), values.texts(CoreKey.CALL_SITES_IGNORE)),
                timed);
        this.leaks = new LeakDetector(context, table);
        this.takenBack = TakenBack.of(context, table);
        this.listeners = context.listeners();
        this.name = context.name();
        this.ticker = context.ticker();
        this.captures = sampleEvery > 0;
        this.sampleEvery = sampleEvery;
        this.sampleGapNanos = sampleEvery == 1 ? 0 : SAMPLE_GAP_NANOS;
        this.statementText = values.flag(CoreKey.STATEMENT_TEXT);
        this.insight = context.insight();
        this.classes = context.classes();
        Set<Capability> can = context.adapter().capabilities();
        this.marksEvicted = can.contains(Capability.EVICT) && !can.contains(Capability.EVICT_LEASED);
        this.keepsConnections = marksEvicted || takenBack != null;
        this.alert = new CaptureAlert(context, inspections);
        this.flags = timed || statementText ? LeasedConnection.WATCHED : 0;
        this.log = context.recorder().log();
        if (timed) {
            log.keepShares();
        }
    }

    /** Adds call sites to the lease log. Called before the first lease. */
    public void records() {
        log.callSites(this::currentSite);
        sites.named(log);
    }

    /** Reports the statements of all leases to their owner. Called before the first lease. */
    public void observe() {
        flags |= LeasedConnection.OBSERVED;
    }

    // ---- for each call ----

    public LeaseTable slots() {
        return table;
    }

    /**
     * Begins a lease in a slot that the calling thread has taken. Its connection reports its end to the owner. If it
     * throws, the lease is to be {@linkplain Slot#withdraw withdrawn}.
     *
     * @param counts whether the slot counts the acquisition; for a later attempt the recorder counts it
     */
    public LeasedConnection open(
            Slot slot, Connection target, LeaseOwner owner, long requestedNanos, long acquiredNanos, boolean counts) {
        CallSite site = null;
        boolean inspected = false;
        if (captures && (--slot.untilCapture < 0 || (alert.ofClasses != 0 && alert.isOf(slot.requestClass)))) {
            site = sampled(slot, acquiredNanos);
            inspected = !inspections.isEmpty();
        }
        LeasedConnection connection = new LeasedConnection(target, owner, acquiredNanos, slot.place | flags);
        if (keepsConnections) {
            slot.lease = connection;
        }
        slot.begin(acquiredNanos, acquiredNanos - requestedNanos, site, counts);
        if (inspected) {
            long number = number(slot, slot.generation());
            String name = CallSites.name(site);
            inspect(inspector -> inspector.acquired(number, name));
        }
        return connection;
    }

    void inspect(Consumer<LeaseInspector> report) {
        inspections.values().forEach(inspector -> listeners.guard("an inspector", () -> report.accept(inspector)));
    }

    /** Captures the call site, unless the slot's last capture is within the gap: then an alert keeps the stack. */
    private @Nullable CallSite sampled(Slot slot, long nowNanos) {
        boolean first = slot.untilCapture < Slot.NEXT;
        slot.untilCapture = sampleEvery - 1;
        if (!first && samples() && nowNanos - slot.capturedNanos < sampleGapNanos) {
            if (slot.site == null && alert.isOf(slot.requestClass)) {
                slot.site = RequestTrace.here(sites);
            }
            return null;
        }
        slot.capturedNanos = nowNanos;
        return sites.capture();
    }

    /** False for a gap of 0, because two threads that shared the slot may have read the clock in reverse order. */
    private boolean samples() {
        return sampleGapNanos != 0 && inspections.isEmpty();
    }

    /** The stack of a request that is about to wait, for its later lease; null if not needed. */
    public @Nullable CallSite trace(int requestClass) {
        return captures && alert.isOf(requestClass) && samples() ? RequestTrace.here(sites) : null;
    }

    /** Creates a further handle on the connection of an open lease. */
    public LeasedConnection transactionHandle(int place, Connection target, LeaseOwner owner, long acquiredNanos) {
        return new LeasedConnection(target, owner, acquiredNanos, place | flags);
    }

    /**
     * Reports the end of a lease at its call site, once, before its slot is given back; for a slot that
     * {@linkplain Slot#reports has something to report}. Returns a task that reports the end of a suspected lease,
     * which the caller runs last; null without a suspicion.
     */
    public @Nullable Runnable ending(Slot slot, long heldNanos, boolean reclaimed) {
        if (slot.step == Slot.OPEN) {
            // Set first, because an interrupted report is not repeated.
            slot.step = Slot.REPORTED;
            report(slot, heldNanos);
        }
        Suspect suspect = slot.suspect;
        return suspect == null || !suspect.isOf(slot.generation())
                ? null
                : () -> leaks.resolved(suspect, heldNanos, reclaimed);
    }

    private void report(Slot slot, long heldNanos) {
        CallSite site = slot.site;
        if (site != null) {
            site.ended(slot.waitedNanos, heldNanos, slot.inDatabaseNanos);
            if (!inspections.isEmpty()) {
                long its = number(slot, slot.generation());
                Duration held = Duration.ofNanos(heldNanos);
                inspect(inspector -> inspector.released(its, site.name, held));
            }
        }
    }

    // Both methods read the clock first: that waits for earlier instructions, but not for the slot's cache miss.

    @SuppressWarnings("ReferenceEquality") // equal texts that are two objects only cost the store
    public void entered(int place, @Nullable String sql) {
        // 0 means none; a nanosecond more or less does not matter.
        long now = timed ? ticker.nanos() | 1 : 0;
        Slot slot = table.at(place);
        slot.busySinceNanos = now;
        // Storing a reference costs the collector's barrier, and many leases repeat one statement.
        if (statementText && sql != null && sql != slot.statement) {
            slot.statement = sql;
        }
    }

    public void left(int place, boolean statement) {
        if (timed) {
            long now = ticker.nanos();
            Slot slot = table.at(place);
            long since = slot.busySinceNanos;
            if (since != 0) {
                slot.busySinceNanos = 0;
                slot.leftNanos = now;
                slot.inDatabaseNanos += Math.max(0, now - since);
                if (statement) {
                    slot.ran(since);
                }
            }
        }
    }

    // ---- in the tick ----

    public void tick(long nowNanos, long lateNanos, PoolState state) {
        leaks.tick(nowNanos, lateNanos, state, slot -> open(slot, slot.generation(), nowNanos));
        boolean taken =
                takenBack != null && takenBack.tick(nowNanos, state, slot -> open(slot, slot.generation(), nowNanos));
        sites.readSums();
        alert.tick(nowNanos, state, taken || leaks.fresh(nowNanos));
    }

    /**
     * Captures the call site of every lease, and reports every lease and nested acquisition on their threads, until the
     * returned task is run. An inspector added twice is called twice, and ended twice.
     *
     * @param each whether to throw if call sites are disabled
     */
    public Runnable inspect(LeaseInspector inspector, boolean each) {
        if (each && !captures) {
            throw new IllegalStateException(
                    name
                            + ": call-sites.sample-every = 0: no lease is inspected. Set it from 1 to 1000000 to inspect leases.");
        }
        return alert.inspect(inspector);
    }

    /** Marks the open leases so that their connections are discarded on return, if the pool itself would keep them. */
    public void discardOnReturn() {
        if (marksEvicted) {
            held().forEach(lease -> ((Held) lease).connection.discardOnReturn());
        }
    }

    /** The ages of the open leases, nanoseconds, in no order. */
    public long[] ages(long nowNanos) {
        long[] begins = begins();
        long[] ages = new long[begins.length / 2];
        Arrays.setAll(ages, at -> Math.max(0, nowNanos - begins[2 * at]));
        return ages;
    }

    /** Begin and wait of each open lease, nanoseconds: two figures per lease, in no order. */
    public long[] begins() {
        LongStream.Builder begins = LongStream.builder();
        table.forEach((slot, generation) -> {
            long acquired = slot.acquiredNanos;
            long waited = slot.waitedNanos;
            if (slot.unchanged(generation)) {
                begins.add(acquired).add(waited);
            }
        });
        return begins.build().toArray();
    }

    /** Describes a hanging reclaim call; null without one. */
    @Nullable
    public String hanging(long nowNanos) {
        return takenBack == null ? null : takenBack.helper.hanging(nowNanos);
    }

    public void close() {
        if (takenBack != null) {
            takenBack.close();
        }
    }

    // ---- views ----

    /** All open leases, oldest first. */
    public List<OpenLease> open(long nowNanos) {
        return numbered(nowNanos).values().stream()
                .sorted(Comparator.comparing(OpenLease::age).reversed())
                .toList();
    }

    /** All open leases by a unique number: the slot's place and the generation of the lease. */
    public Map<Long, OpenLease> numbered(long nowNanos) {
        Map<Long, OpenLease> open = new LinkedHashMap<>();
        table.forEach((slot, generation) -> {
            OpenLease lease = open(slot, generation, nowNanos);
            if (lease != null) {
                open.put(number(slot, generation), lease);
            }
        });
        return Collections.unmodifiableMap(open);
    }

    private static long number(Slot slot, long generation) {
        return (generation << Integer.SIZE) | (slot.place & 0xFFFF_FFFFL);
    }

    /** The class of the lease at a place; empty without classes. */
    public String requestClass(int place) {
        return classes == null
                ? ""
                : classes.rules().get(table.at(place).requestClass).name();
    }

    /** Lets slots refer to their connections. Called before the first lease. */
    public Supplier<List<Leased>> leasedConnections() {
        keepsConnections = true;
        return this::held;
    }

    private List<Leased> held() {
        List<Leased> all = new ArrayList<>();
        table.forEach((slot, generation) -> {
            LeasedConnection connection = slot.lease;
            long acquired = slot.acquiredNanos;
            if (connection != null && slot.unchanged(generation)) {
                all.add(new Held(slot, generation, connection, acquired));
            }
        });
        return all;
    }

    private final class Held implements Leased {
        private final Slot slot;
        private final long generation;
        private final LeasedConnection connection;
        private final long acquiredNanos;

        Held(Slot slot, long generation, LeasedConnection connection, long acquiredNanos) {
            this.slot = slot;
            this.generation = generation;
            this.connection = connection;
            this.acquiredNanos = acquiredNanos;
        }

        @Override
        public long lease() {
            return number(slot, generation);
        }

        @Override
        public Connection connection() {
            return connection;
        }

        @Override
        public long acquiredNanos() {
            return acquiredNanos;
        }

        @Override
        public String requestClass() {
            return LeaseTracker.this.requestClass(slot.place);
        }

        @Override
        public @Nullable OpenLease read() {
            return open(slot, generation, ticker.nanos());
        }

        @Override
        public boolean end(String reason, Consumer<Connection> first) throws SQLException {
            return connection.end(reason, first);
        }
    }

    /** A lease in a slot; null without one, or if it ends while it is read. */
    private @Nullable OpenLease open(Slot slot, long generation, long nowNanos) {
        Object owner = slot.owner();
        long acquired = slot.acquiredNanos;
        long age = Math.max(0, nowNanos - acquired);
        long since = slot.busySinceNanos;
        long inDatabase = slot.inDatabaseNanos;
        long left = slot.leftNanos;
        String statement = slot.statement;
        CallSite site = slot.site;
        if (!Slot.isLease(generation) || owner == null || !slot.unchanged(generation)) {
            return null;
        }
        ThreadIdentity holder = identity(owner);
        Activity activity = !timed ? Activity.UNKNOWN : since == 0 ? Activity.IDLE : Activity.IN_DATABASE;
        long running = since == 0 ? 0 : Math.max(0, nowNanos - since);
        return new Open(
                holder.name(),
                holder.id(),
                holder.virtual(),
                CallSites.name(site),
                Duration.ofNanos(age),
                activity,
                timed ? Duration.ofNanos(Math.min(age, inDatabase + running)) : null,
                statement == null ? null : PlainText.line(statement.strip().replaceAll("\\s+", " "), LONGEST_STATEMENT),
                leaks.suspects(acquired, nowNanos),
                insight.session(number(slot, generation), nowNanos),
                activity != Activity.IDLE
                        ? null
                        : Duration.ofNanos(inDatabase == 0 ? age : Math.max(0, nowNanos - left)));
    }

    private static ThreadIdentity identity(Object owner) {
        return owner instanceof Thread thread
                ? ThreadIdentity.of(thread)
                : owner instanceof RequestOwner carried ? ThreadIdentity.of(carried) : (ThreadIdentity) owner;
    }

    /** A lease at one reading. {@code idleFor} is null while a call runs, and if calls are not measured. */
    public record Open(
            String thread,
            long threadId,
            boolean virtualThread,
            @Nullable String callSite,
            Duration age,
            Activity activity,
            @Nullable Duration inDatabase,
            @Nullable String statement,
            boolean leakSuspected,
            @Nullable SessionState inServer,
            @Nullable Duration idleFor)
            implements OpenLease {
        public Open withoutSession() {
            return new Open(
                    thread,
                    threadId,
                    virtualThread,
                    callSite,
                    age,
                    activity,
                    inDatabase,
                    statement,
                    leakSuspected,
                    null,
                    idleFor);
        }
    }

    public List<CallSiteStatistics> callSites() {
        return sites.statistics();
    }

    /** The number of the calling thread's call site; 0 without one, or if call sites are not captured. */
    private int currentSite() {
        CallSite here = captures ? sites.capture() : null;
        return here == null ? 0 : here.number;
    }

    /** The call site of the calling thread's JDBC call; null without one, or if call sites are not captured. */
    public @Nullable String callSiteOfCall() {
        return captures ? CallSites.name(sites.captureOfCall()) : null;
    }

    /** The calling thread's call site; null without one, or if call sites are not captured. */
    @Nullable
    String currentCallSite() {
        return captures ? CallSites.name(sites.capture()) : null;
    }
}
