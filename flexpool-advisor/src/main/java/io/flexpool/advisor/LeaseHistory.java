// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advisor.Advice.Load;
import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.spi.LeaseSink.LeaseBlock;
import io.flexpool.spi.LeaseSink.WantedArrivals;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The history of one pool's requests: a week of demand, and the single requests of the current hour and of the four
 * busiest other hours, because these decide the size. At most 3 MiB: 25,000 requests of each of five hours, 20 bytes
 * each, and a few hundred bytes for each hour of the week. For one thread at a time.
 */
final class LeaseHistory {
    private static final int BUSIEST = 4;
    private static final int WEEK_HOURS = 7 * 24;
    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();
    private static final double BUSY_QUANTILE = 0.99;
    /** For this time after a failed connect, failed requests count as an outage, not as demand. */
    private static final long OUTAGE_NANOS = Duration.ofMinutes(1).toNanos();
    /** A longer time between ticks counts as a pause of the machine. */
    private static final long LONGEST_TICK_NANOS = Duration.ofSeconds(5).toNanos();

    private static final int THREAD_NUMBERS = 1_024;

    private final LeaseSites sites = new LeaseSites();
    /** The requests of the stored hours, by hour. */
    private final TreeMap<Long, HourRecord> kept = new TreeMap<>();

    private final Deque<DemandHour> week = new ArrayDeque<>();
    private boolean begun;
    private long originNanos;
    private long lastNanos;
    /** The number of the current hour. */
    private long hour = -1;

    private long connectFailedNanos;
    private boolean connectFailed;

    /** A copy that a calculation reads while the history continues. */
    record Copy(Map<Long, HourRecord> kept, LeaseSites sites, Load load, long lost, long originNanos) {}

    void take(LeaseBlock block) {
        long now = block.takenNanos();
        if (!begun) {
            begin(block);
        }
        while (hour < (now - originNanos) / HOUR_NANOS) {
            turn();
        }
        DemandHour demand = week.getLast();
        demand.add(block.demand(), Math.min(LONGEST_TICK_NANOS, Math.max(0, now - lastNanos)));
        demand.lose(block.lost());
        demand.count(block.unwanted());
        lastNanos = now;
        for (int at = 0; at < block.size(); at++) {
            add(block, at, demand);
        }
    }

    /** The requests that must still be recorded; null for all. */
    @Nullable
    WantedArrivals wanted(long nowNanos) {
        long since = nowNanos - originNanos;
        long inHour = since % HOUR_NANOS;
        HourRecord record = kept.get(since / HOUR_NANOS);
        // Around the turn of the hour, requests of two hours are wanted.
        boolean turning = inHour < WantedArrivals.LONG_NANOS || inHour + HourRecord.AHEAD_NANOS >= HOUR_NANOS;
        if (!begun || turning || record == null) {
            return null;
        }
        WantedArrivals wanted = record.wanted(inHour);
        long hourBegin = nowNanos - inHour;
        return wanted == null
                ? null
                : new WantedArrivals(hourBegin + wanted.fromNanos(), hourBegin + wanted.untilNanos());
    }

    private void begin(LeaseBlock block) {
        begun = true;
        originNanos = block.takenNanos();
        lastNanos = originNanos;
        for (int at = 0; at < block.size(); at++) {
            // Compares by difference, because the clock may overflow.
            originNanos += Math.min(0, block.arrivalNanos(at) - originNanos);
        }
    }

    /** Begins the next hour: drops demand older than a week, and the requests of all but the busiest hours. */
    private void turn() {
        hour++;
        week.addLast(new DemandHour());
        if (week.size() > WEEK_HOURS) {
            week.removeFirst();
            kept.headMap(firstHour()).clear();
        }
        if (kept.size() > BUSIEST) {
            kept.remove(leastBusy());
        }
        kept.put(hour, new HourRecord(HourRecord.MOST));
    }

    private long firstHour() {
        return hour - week.size() + 1;
    }

    private long leastBusy() {
        long least = kept.firstKey();
        int lowest = Integer.MAX_VALUE;
        List<DemandHour> hours = List.copyOf(week);
        for (long each : kept.keySet()) {
            int busy = hours.get((int) (each - firstHour())).percentile(BUSY_QUANTILE);
            // Of equal hours the oldest is dropped.
            if (busy < lowest) {
                lowest = busy;
                least = each;
            }
        }
        return least;
    }

    private void add(LeaseBlock block, int at, DemandHour demand) {
        AcquisitionOutcome outcome = block.outcome(at);
        long now = block.takenNanos();
        if (outcome == AcquisitionOutcome.CONNECT_FAILURE) {
            connectFailed = true;
            connectFailedNanos = now;
        }
        boolean outage = connectFailed && now - connectFailedNanos < OUTAGE_NANOS;
        boolean late = outcome == AcquisitionOutcome.TIMEOUT || (outcome == AcquisitionOutcome.REJECTED && !outage);
        if (!late && outcome != AcquisitionOutcome.OK) {
            // No demand: the request was withdrawn, or no connection could be opened for anybody.
            return;
        }
        demand.count(late);
        long since = Math.max(0, block.arrivalNanos(at) - originNanos);
        HourRecord record = kept.get(since / HOUR_NANOS);
        if (record != null) {
            record.add(
                    since % HOUR_NANOS,
                    block.waitNanos(at),
                    block.leaseNanos(at),
                    late ? Ending.TIMED_OUT : Ending.RELEASED,
                    sites.number(block.callSite(at), block.requestClass(at)),
                    block.thread(at),
                    block.nested(at));
        }
    }

    Copy copy() {
        DemandHour all = new DemandHour();
        week.forEach(all::add);
        Map<Long, HourRecord> records = new TreeMap<>();
        kept.forEach((number, record) -> records.put(number, new HourRecord(record)));
        Duration span = Duration.ofNanos(Math.min(lastNanos - originNanos, WEEK_HOURS * HOUR_NANOS));
        Load load = new Load(
                all.requests(), all.timedOut(), span, all.max(), all.percentile(BUSY_QUANTILE), all.percentile(0.5));
        return new Copy(records, new LeaseSites(sites), load, all.lost(), originNanos);
    }

    /** The thread number that recorded blocks use. */
    static int threadNumber(OpenLease lease) {
        return (int) (1 + lease.threadId() % THREAD_NUMBERS);
    }

    /** The trace of the stored requests and the open leases. */
    static LeaseTrace trace(Copy copy, List<OpenLease> open, long nowNanos) {
        LeaseTrace.Builder trace = LeaseTrace.builder();
        long first =
                copy.kept().keySet().stream().mapToLong(Long::longValue).min().orElse(0);
        copy.kept().forEach((number, record) -> record.addTo(trace, (number - first) * HOUR_NANOS, copy.sites()));
        long begin = copy.originNanos() + first * HOUR_NANOS;
        // The class of an open lease is unknown here.
        trace.inClass("");
        for (OpenLease lease : open) {
            long age = lease.age().toNanos();
            String site = lease.callSite();
            trace.add(
                    // An arrival before all others would shift the hours.
                    Math.max(0, nowNanos - age - begin),
                    0,
                    age,
                    Ending.OPEN,
                    site == null ? copy.sites().name(0, age) : site,
                    threadNumber(lease),
                    false);
        }
        return trace.build();
    }
}
