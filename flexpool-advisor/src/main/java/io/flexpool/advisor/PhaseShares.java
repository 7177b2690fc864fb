// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.spi.LeaseSink.LeaseBlock;
import io.flexpool.spi.LeaseSink.LeaseBlock.Phase;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The phases of many leases, as shares of their summed lease time. For one thread at a time. */
final class PhaseShares {
    private static final double PERCENT = 100;
    private static final double SHOWN = 1_000;

    private long leases;
    private long without;
    private double held;
    private double before;
    private double between;
    private double after;

    /** Adds a lease. A lease without a statement has no phases and is only counted. */
    void add(LeaseBlock block, int at) {
        double share = block.idleShare(at, Phase.BEFORE);
        if (Double.isNaN(share)) {
            without++;
            return;
        }
        leases++;
        long nanos = block.leaseNanos(at);
        held += nanos;
        before += share * nanos;
        between += block.idleShare(at, Phase.BETWEEN) * nanos;
        after += block.idleShare(at, Phase.AFTER) * nanos;
    }

    /** The number of leases with a statement. */
    long leases() {
        return leases;
    }

    /** The number of leases without a statement. */
    long without() {
        return without;
    }

    /** The summed time of the leases outside the database. */
    double outsideNanos() {
        return before + between + after;
    }

    /** The four shares in words; their sum is 100 % except for rounding. */
    String words() {
        return percent(before) + " before the first statement, " + percent(between) + " between statements, "
                + percent(after) + " after the last, " + percent(held - outsideNanos()) + " in the database";
    }

    private String percent(double nanos) {
        return String.format(Locale.ROOT, "%.0f %%", PERCENT * share(nanos));
    }

    private double share(double nanos) {
        return held == 0 ? 0 : Math.max(0, nanos / held);
    }

    /** The shares as fields. */
    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("leases", leases);
        fields.put("withoutStatement", without);
        if (leases > 0) {
            fields.put("beforeFirstStatement", rounded(before));
            fields.put("betweenStatements", rounded(between));
            fields.put("afterLastStatement", rounded(after));
            fields.put("inDatabase", rounded(held - outsideNanos()));
        }
        return fields;
    }

    private double rounded(double nanos) {
        return Math.round(SHOWN * share(nanos)) / SHOWN;
    }
}
