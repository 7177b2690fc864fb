// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import io.flexpool.spi.Texts;
import java.util.ArrayList;
import java.util.List;

/**
 * Derives a size from the moments of a pool in a log: the 99th percentile of the demand plus one connection, limited to
 * the current size.
 */
final class HikariAdvice {
    private static final int ENOUGH = 120;
    private static final int SHOWN = 5;

    private final String pool;
    private final PoolSamples samples;
    private final int size;

    private HikariAdvice(String pool, PoolSamples samples, int size) {
        this.pool = pool;
        this.samples = samples;
        this.size = size;
    }

    /**
     * Calculates the advice.
     *
     * @param given the current size; 0 to use the log's
     */
    static SampledDemand of(String pool, PoolSamples samples, int given) {
        return new HikariAdvice(pool, samples, given > 0 ? given : samples.max()).advice();
    }

    private SampledDemand advice() {
        int needed = samples.p99() + 1;
        boolean lacked = samples.waitedMoments() > 0 || samples.failed() > 0;
        // Unserved demand is no evidence that more connections would serve it, so the current size is the limit.
        boolean known = samples.hasFigures() && size > 0 && samples.moments() > 0;
        int connections = known ? Math.min(needed, size) : 0;
        String paragraph = observed() + " " + compared(needed, lacked, known) + " " + SampledDemand.CONFIDENCE
                + samples.moments() + (samples.moments() == 1 ? " sample." : " samples.");
        return new SampledDemand(size, connections, paragraph, unknown(), samples.failed());
    }

    private String observed() {
        String failed = samples.failed() == 0
                ? ""
                : samples.failed() + (samples.failed() == 1 ? " request" : " requests") + " timed out";
        if (!samples.hasFigures()) {
            // Without figures, two failures of the same second may have the same message.
            return "The log of " + named() + " has no figures. At least " + failed + ".";
        }
        String demand = "at most " + Texts.count(samples.highest(), "connection")
                + (samples.highest() == 1 ? " was" : " were") + " needed at once, counting waiting requests (p99 "
                + samples.p99() + ")";
        if (samples.moments() == 0) {
            return failed.isEmpty()
                    ? "The log of " + named() + " has no periodic lines; " + demand + "."
                    : "In the log of " + named() + ", " + failed + ". At these moments, " + demand + ".";
        }
        return "In " + samples.moments() + (samples.moments() == 1 ? " sample of " : " samples of ") + named() + ", "
                + demand + ". Requests waited in "
                + (samples.waitedMoments() == 0 ? "no" : samples.waitedMoments())
                + (samples.waitedMoments() < 2 ? " sample" : " samples")
                + (failed.isEmpty() ? "" : ", and " + failed) + ".";
    }

    private String named() {
        int count = samples.instances().size();
        if (count < 2) {
            return pool;
        }
        String names = samples.instances().stream()
                .limit(SHOWN)
                .reduce((one, other) -> one + ", " + other)
                .orElse("");
        return pool + " on " + count + " instances (" + names + (count > SHOWN ? ", …" : "")
                + "; each counted separately)";
    }

    private String compared(int needed, boolean lacked, boolean known) {
        if (!known) {
            return samples.moments() == 0 && samples.max() > 0
                    ? "The pool has " + connections()
                            + ", all in use when requests failed; it is unknown whether more connections"
                            + " help, or fewer are enough at other times."
                    : "The required size is unknown.";
        }
        if (needed < size) {
            return "The pool has " + connections() + "; " + needed + " would probably be enough.";
        }
        if (lacked) {
            return "The pool has " + connections()
                    + ", and requests wait; it is unknown whether more connections help.";
        }
        return samples.fullMoments() > 0 && samples.p99() >= size
                ? "The pool has " + connections() + ". All were in use in " + samples.fullMoments()
                        + (samples.fullMoments() == 1 ? " sample" : " samples")
                        + ", and no request waited. The pool needs at least " + size
                        + "; the exact number is unknown."
                : "The pool has " + connections() + ", which is probably right.";
    }

    private String connections() {
        return Texts.count(size, "connection");
    }

    private List<String> unknown() {
        List<String> unknown = new ArrayList<>();
        if (samples.moments() == 0) {
            unknown.add("No periodic line: the demand at other times is unknown.");
        } else if (samples.moments() < ENOUGH) {
            unknown.add(
                    "Only " + samples.moments() + (samples.moments() == 1 ? " periodic line: " : " periodic lines: ")
                            + "busier times may be missing.");
        }
        if (samples.otherMax() > 0 && size == samples.max()) {
            unknown.add("The log has max sizes from " + samples.otherMax() + " to " + samples.max()
                    + "; the largest is used. To use another, give --size.");
        }
        unknown.add("Unknown: events between the lines, the waits of requests, and whether leases were long because the"
                + " database was slow.");
        return unknown;
    }
}
