// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.Activity;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.spi.LeaseSink.LeaseBlock;
import io.flexpool.spi.LeaseSink.LeaseBlock.Phase;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The recorded phases of one pool's leases. For one thread at a time. */
final class PhaseLog {
    /** The interval between two replays. */
    private static final long SPAN_NANOS = Duration.ofSeconds(5).toNanos();
    /** Requests count as waiting if they waited longer than this, and longer than a twentieth of the leases. */
    private static final long NOTICED_NANOS = Duration.ofMillis(1).toNanos();

    private static final int MANY = 20;

    private final PhaseShares all = new PhaseShares();
    private final Map<String, PhaseShares> sites = new HashMap<>();
    private final DeferredLeases deferred = new DeferredLeases();
    private boolean begun;
    private long originNanos;
    private boolean missed;
    /** The leases that were open after the last block, if the next block causes a replay. */
    private long[] old = {};

    private boolean[] ran = {};
    private long until;
    private long patience;

    /**
     * Takes a block. Returns whether the caller must then call {@link #open}, because the next block causes a replay.
     */
    boolean take(LeaseBlock block, int most) {
        long now = block.takenNanos();
        if (!begun) {
            begun = true;
            originNanos = now;
        }
        if (block.unwanted() + block.lost() > 0) {
            missed = true;
            until = 0;
            deferred.missed(now - originNanos);
        }
        long waited = 0;
        long held = 0;
        boolean failed = false;
        for (int at = 0; at < block.size(); at++) {
            AcquisitionOutcome outcome = block.outcome(at);
            failed |= outcome == AcquisitionOutcome.TIMEOUT || outcome == AcquisitionOutcome.REJECTED;
            if (outcome == AcquisitionOutcome.OK) {
                add(block, at);
                waited += block.waitNanos(at);
                held += block.leaseNanos(at);
            }
        }
        if (failed || (waited > NOTICED_NANOS && waited > held / MANY)) {
            deferred.waited(now - originNanos);
        }
        if (until > 0) {
            deferred.replay(until, old, ran, patience, most);
            until = 0;
        }
        return now - originNanos - deferred.doneNanos() >= SPAN_NANOS || deferred.size() >= DeferredLeases.MOST;
    }

    private void add(LeaseBlock block, int at) {
        all.add(block, at);
        String site = block.callSite(at);
        if (!site.isEmpty()) {
            sites.computeIfAbsent(site, first -> new PhaseShares()).add(block, at);
        }
        long begin = block.arrivalNanos(at) + block.waitNanos(at) - originNanos;
        deferred.add(begin, block.leaseNanos(at), block.idleShare(at, Phase.BEFORE));
    }

    /** Takes the open leases, which must have been read after {@code nowNanos}. */
    void open(List<OpenLease> leases, long nowNanos) {
        long now = nowNanos - originNanos;
        patience = deferred.size() < DeferredLeases.MOST
                ? DeferredLeases.LONG_NANOS
                : Math.min(DeferredLeases.LONG_NANOS, (now - deferred.doneNanos()) / 2);
        OpenLease[] longOnes = leases.stream()
                .filter(lease -> lease.age().toNanos() >= patience)
                .toArray(OpenLease[]::new);
        old = new long[longOnes.length];
        ran = new boolean[longOnes.length];
        for (int at = 0; at < longOnes.length; at++) {
            Duration inDatabase = longOnes[at].inDatabase();
            old[at] = now - longOnes[at].age().toNanos();
            ran[at] = longOnes[at].activity() != Activity.IDLE || inDatabase == null || !inDatabase.isZero();
        }
        until = now;
        for (OpenLease lease : leases) {
            long age = lease.age().toNanos();
            until = age < patience ? Math.min(until, now - age) : until;
        }
    }

    PhaseShares all() {
        return all;
    }

    /** The phases by call site. */
    Map<String, PhaseShares> sites() {
        return sites;
    }

    DeferredLeases.Minute lastHour(long nowNanos) {
        return deferred.lastHour(nowNanos - originNanos);
    }

    /** Whether some leases were not recorded, because they came too fast. */
    boolean missed() {
        return missed;
    }
}
