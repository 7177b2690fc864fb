// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.internal.record.LeaseLog.FailedRequest;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.spi.LeaseSink.LeaseBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The block of one tick, refilled by each tick. For the tick's thread. */
public final class DrainedLeases implements LeaseBlock {
    private static final int WORDS = 3;
    /** Longs that an idle block keeps. */
    private static final int FEWEST = 64;

    private final Map<Integer, String> sites;
    private final List<FailedRequest> failed = new ArrayList<>();
    /** The names of the classes, by number; empty without classes. */
    private final List<String> classes;

    private long[] words = {};
    private int leases;
    private int mostLately;
    private long takenNanos;
    private int demand;
    private long lost;
    private long unwanted;

    DrainedLeases(Map<Integer, String> sites, List<String> classes) {
        this.sites = sites;
        this.classes = List.copyOf(classes);
    }

    void begin(long nowNanos, int demandNow) {
        mostLately = Math.max(WORDS * leases, mostLately - mostLately / 8);
        if (words.length > FEWEST && words.length > 8 * mostLately) {
            words = new long[Math.max(FEWEST, 2 * mostLately)];
        }
        leases = 0;
        lost = 0;
        unwanted = 0;
        failed.clear();
        takenNanos = nowNanos;
        demand = demandNow;
    }

    void add(long begin, long durations, long shares) {
        int at = WORDS * leases++;
        if (at + WORDS > words.length) {
            words = Arrays.copyOf(words, Math.max(FEWEST, 2 * words.length));
        }
        words[at] = begin;
        words[at + 1] = durations;
        words[at + 2] = shares;
    }

    void add(FailedRequest request) {
        failed.add(request);
    }

    void lose(long more) {
        lost += more;
    }

    void passOver(long more) {
        unwanted += more;
    }

    @Override
    public int size() {
        return leases + failed.size();
    }

    private long begin(int request) {
        return request < leases
                ? words[WORDS * request]
                : failed.get(request - leases).begin();
    }

    private long durations(int request) {
        return request < leases
                ? words[WORDS * request + 1]
                : failed.get(request - leases).durations();
    }

    @Override
    public long arrivalNanos(int request) {
        return LeaseWords.arrivalNanos(begin(request), takenNanos);
    }

    @Override
    public long waitNanos(int request) {
        return LeaseWords.waitNanos(durations(request));
    }

    @Override
    public long leaseNanos(int request) {
        return LeaseWords.leaseNanos(durations(request));
    }

    @Override
    public AcquisitionOutcome outcome(int request) {
        return request < leases
                ? AcquisitionOutcome.OK
                : failed.get(request - leases).outcome();
    }

    @Override
    public String callSite(int request) {
        return sites.getOrDefault(LeaseWords.site(begin(request)), "");
    }

    @Override
    public String requestClass(int request) {
        return classes.isEmpty() ? "" : classes.get(LeaseWords.requestClass(begin(request)));
    }

    @Override
    public int thread(int request) {
        return LeaseWords.thread(begin(request));
    }

    @Override
    public boolean nested(int request) {
        return LeaseWords.nested(begin(request));
    }

    @SuppressWarnings("EnumOrdinal") // the order in which the shares were added
    @Override
    public double idleShare(int request, Phase phase) {
        return request < leases ? LeaseWords.shareAt(phase.ordinal(), words[WORDS * request + 2]) : Double.NaN;
    }

    @Override
    public long takenNanos() {
        return takenNanos;
    }

    @Override
    public int demand() {
        return demand;
    }

    @Override
    public long lost() {
        return lost;
    }

    @Override
    public long unwanted() {
        return unwanted;
    }
}
