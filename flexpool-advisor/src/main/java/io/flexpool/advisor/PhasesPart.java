// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.LeaseSink;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.Texts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reports the time that one pool's leases spend outside the database: before the first statement, between statements,
 * and after the last. Also reports the number of connections that the pool would need if each lease began with its
 * first statement. Thread-safe.
 */
final class PhasesPart implements PoolPart, LeaseSink {
    /** The minimum number of leases for a statement on the pool. */
    static final int ENOUGH = 100;
    /** The minimum number of leases for a statement on a call site. */
    private static final int ENOUGH_OF_SITE = 10;
    /** Keeps the report short. */
    private static final int MOST_LINES = 5;

    private static final int MOST_FIELDS = 20;
    private static final String OFF = "unknown: flexpool.time-in-database is false";

    private final PartContext context;
    /** The setting that defers leases to the first statement, as the subject of a sentence. */
    private final String lazy;

    private final ReentrantLock lock = new ReentrantLock();
    /** Null if leases are not timed. */
    private final @Nullable PhaseLog log;

    private int most;

    PhasesPart(PartContext context, @Nullable PhaseLog log, String lazy) {
        this.context = context;
        this.log = log;
        this.lazy = lazy;
    }

    @Override
    public @Nullable LeaseSink leases() {
        return log == null ? null : this;
    }

    @Override
    public void tick(PoolState state, long nowNanos) {
        int limit = state.bound() ? state.limit() : state.pool().max();
        most = limit == PoolSnapshot.UNKNOWN ? Integer.MAX_VALUE : Math.max(most, limit);
    }

    /** Wants no arrivals beyond those that flexpool records anyway. */
    @Override
    public WantedArrivals wanted(long nowNanos) {
        return new WantedArrivals(nowNanos, nowNanos);
    }

    @Override
    public void take(LeaseBlock block) {
        if (log == null) {
            return;
        }
        boolean due;
        lock.lock();
        try {
            due = log.take(block, most == 0 ? Integer.MAX_VALUE : most);
        } finally {
            lock.unlock();
        }
        if (due) {
            // Reads the time before the leases, so that no lease seems younger than it is.
            long now = context.nanos();
            List<OpenLease> open = context.openLeases();
            lock.lock();
            try {
                log.open(open, now);
            } finally {
                lock.unlock();
            }
        }
    }

    @Override
    public List<String> reportLines() {
        if (log == null) {
            return List.of();
        }
        lock.lock();
        try {
            if (log.all().leases() + log.all().without() == 0) {
                return List.of();
            }
            List<String> lines = new ArrayList<>();
            lines.add("Lease phases: " + text(log));
            sites(log, MOST_LINES)
                    .forEach((site, shares) -> lines.add(
                            "  " + site + ": " + shares.words() + " (" + Texts.count(shares.leases(), "lease") + ")"));
            return lines;
        } finally {
            lock.unlock();
        }
    }

    private String text(PhaseLog of) {
        PhaseShares all = of.all();
        if (all.leases() < ENOUGH) {
            return "unknown, because only " + Texts.count(all.leases(), "lease") + " of " + ENOUGH + " ran a statement";
        }
        return all.words() + " (" + Texts.count(all.leases(), "lease")
                + (all.without() == 0
                        ? ""
                        : "; not counted: " + Texts.count(all.without(), "lease") + " without a statement")
                + "). " + need(of);
    }

    private String need(PhaseLog of) {
        DeferredLeases.Minute peak = of.lastHour(context.nanos());
        if (peak.leased() == 0) {
            return of.missed()
                    ? "Unknown: how many connections these leases need, because some ended faster than flexpool can record."
                    : "Not known yet: how many connections these leases need.";
        }
        // Below the limit requests wait for other reasons, for example for a connect.
        boolean waited = peak.waited() && peak.leased() >= most;
        boolean sure = peak.needed() == peak.neededAtMost();
        String leased;
        if (peak.needed() >= peak.leased()) {
            leased = "The peak of the last hour was " + Texts.count(peak.leased(), "connection")
                    + ". Leasing at the first statement would not reduce it.";
        } else {
            leased = "At the peak of the last hour, " + peak.before() + " of "
                    + Texts.count(peak.leased(), "leased connection") + " had not run a statement yet; with " + lazy
                    + " the pool would need " + (waited ? "at least " : "") + peak.needed()
                    + (sure ? "" : " to " + peak.neededAtMost()) + ".";
        }
        return leased
                + (sure ? "" : " The lower number assumes that leases without a statement need no connection.")
                + (waited ? " Requests waited, so more may be needed." : "")
                + (of.missed() ? " Some leases ended faster than flexpool can record." : "");
    }

    /** The call sites by descending time outside the database. */
    private static Map<String, PhaseShares> sites(PhaseLog of, int atMost) {
        Map<String, PhaseShares> shown = new LinkedHashMap<>();
        of.sites().entrySet().stream()
                .filter(site -> site.getValue().leases() >= ENOUGH_OF_SITE)
                .sorted(Comparator.comparingDouble((Map.Entry<String, PhaseShares> site) ->
                                site.getValue().outsideNanos())
                        .reversed())
                .limit(atMost)
                .forEach(site -> shown.put(site.getKey(), site.getValue()));
        return shown;
    }

    @Override
    public Map<String, Object> fields() {
        if (log == null) {
            return Map.of("leasePhases", Map.of("text", OFF));
        }
        lock.lock();
        try {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("text", text(log));
            fields.putAll(log.all().fields());
            DeferredLeases.Minute peak = log.lastHour(context.nanos());
            if (peak.leased() > 0 && log.all().leases() >= ENOUGH) {
                fields.put("leased", peak.leased());
                fields.put("leasedBeforeFirstStatement", peak.before());
                fields.put("needed", peak.needed());
                fields.put("neededAtMost", peak.neededAtMost());
            }
            List<Map<String, Object>> sites = new ArrayList<>();
            sites(log, MOST_FIELDS).forEach((name, shares) -> {
                Map<String, Object> site = new LinkedHashMap<>();
                site.put("callSite", name);
                site.putAll(shares.fields());
                sites.add(site);
            });
            fields.put("callSites", sites);
            return Map.of("leasePhases", fields);
        } finally {
            lock.unlock();
        }
    }

    /** Keeps the figures, for a report after the close. */
    @Override
    public void close() {}
}
