// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.report.Claim;
import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What this project aims at with each pool, beside what was measured. */
final class DirectoryGoals {
    private static final String GOAL = "a goal of this project";
    private static final double THROUGHPUT_GOAL = 0.97;
    /** As in the scenario with bursts alone: of what the pool at the ceiling holds over the base, at most this share. */
    private static final double SHARE_OF_GROWTH = 0.5;

    /** Fewer lost requests than this share may be chance. */
    private static final double A_CLEAR_LOSS = 0.01;

    private final DirectoryLoad load;
    private final Sizes sizes;
    private final List<DirectoryRow> rows;

    DirectoryGoals(DirectoryLoad load, Sizes sizes, List<DirectoryRow> rows) {
        this.load = load;
        this.sizes = sizes;
        this.rows = rows;
    }

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        for (DirectoryPool pool : DirectoryPool.values()) {
            row(pool, Variant.WRAPPED).ifPresent(wrapped -> {
                findings.add(noFailure(wrapped));
                row(pool, Variant.BARE).ifPresent(bare -> findings.add(throughput(wrapped, bare)));
                row(pool, Variant.BARE_SAME_DEADLINE).ifPresent(patient -> findings.add(patience(wrapped, patient)));
                row(pool, Variant.BARE_CEILING).ifPresent(large -> findings.add(growth(wrapped, large)));
            });
        }
        return findings;
    }

    private Optional<DirectoryRow> row(DirectoryPool pool, Variant variant) {
        return rows.stream()
                .filter(row -> row.pool() == pool && row.variant() == variant)
                .findFirst();
    }

    private Finding noFailure(DirectoryRow wrapped) {
        boolean met = wrapped.failures() == 0;
        return judged(
                "No request fails in any burst: " + wrapped.pool() + " wrapped",
                met,
                Measured.of(
                        wrapped.failures() + " failures of "
                                + number(
                                        wrapped.steady().requests()
                                                + wrapped.inBursts().requests(),
                                        0)
                                + " requests",
                        null,
                        met
                                ? load.bursts() + " bursts of " + load.burstSize() + " were served in full"
                                : "first refusal: " + wrapped.firstRefusal() + "; " + wrapped.broken()
                                        + " failed otherwise, first: " + wrapped.firstBreak()));
    }

    private static Finding judged(String goal, boolean met, Measured evidence, DirectoryRow... compared) {
        Measured its = compared.length == 0 ? evidence : DirectoryFindings.fairly(evidence, List.of(compared));
        return Claim.<Measured>goal(GOAL, goal, same -> same, same -> met).judged(its);
    }

    private static Finding throughput(DirectoryRow wrapped, DirectoryRow bare) {
        double steady = wrapped.steady().perSecond() / bare.steady().perSecond();
        double inBursts = wrapped.inBursts().perSecond() / bare.inBursts().perSecond();
        double ratio = Math.min(steady, inBursts);
        return judged(
                "Wrapped, " + wrapped.pool() + " serves at least " + THROUGHPUT_GOAL + " of what it serves bare",
                ratio >= THROUGHPUT_GOAL,
                Measured.of(
                        "steady " + number(wrapped.steady().perSecond(), 1) + " against "
                                + number(bare.steady().perSecond(), 1) + " requests/s, among bursts "
                                + number(wrapped.inBursts().perSecond(), 1) + " against "
                                + number(bare.inBursts().perSecond(), 1),
                        ratio,
                        "The ratio is the lower one of both phases. The load is open, so neither can serve more than"
                                + " arrives; the average latencies of the steady phase are "
                                + number(wrapped.steady().meanMs(), 2) + " and "
                                + number(bare.steady().meanMs(), 2) + " ms."),
                wrapped,
                bare);
    }

    /** Rules out that only a doubled timeout helped. */
    private static Finding patience(DirectoryRow wrapped, DirectoryRow patient) {
        // Those that it loses need not be the burst's own: the steady ones behind a burst wait as long.
        double lost =
                (double) patient.inBursts().failures() / patient.inBursts().requests();
        boolean loses = lost >= A_CLEAR_LOSS;
        // Without a loss to compare: each burst faster than any of the other's, lest the difference be chance.
        boolean faster = wrapped.worstMs().most() < patient.worstMs().least();
        boolean slower = wrapped.worstMs().least() > patient.worstMs().most();
        boolean met = wrapped.failures() == 0 && (loses || faster);
        boolean missed = wrapped.failures() > 0 || slower;
        return judged(
                "Wrapped, " + wrapped.pool() + " serves bursts that patience alone does not, or sooner",
                met,
                Measured.of(
                                wrapped.failures() + " failures against " + patient.failures() + "; worst of a burst "
                                        + wrapped.worstMs().textAndRange(0) + " against "
                                        + patient.worstMs().textAndRange(0) + " ms",
                                wrapped.worstMs().median() / patient.worstMs().median(),
                                "Against the bare pool with the same deadline, which loses "
                                        + number(100 * lost, 1)
                                        + " % of the requests among bursts. The ratio is of the worst latencies.")
                        .unless(!met && !missed, "neither loses any, and their worst latencies overlap"),
                wrapped,
                patient);
    }

    /** Rules out that only a larger pool helped. */
    private Finding growth(DirectoryRow wrapped, DirectoryRow large) {
        double most = sizes.base() + SHARE_OF_GROWTH * (large.meanConnections() - sizes.base());
        boolean met = wrapped.meanConnections() <= most;
        return judged(
                "Wrapped, " + wrapped.pool() + " holds at most half of the connections between base and ceiling",
                met,
                Measured.of(
                        number(wrapped.meanConnections(), 1) + " connections in the mean against "
                                + number(large.meanConnections(), 1),
                        wrapped.meanConnections() / large.meanConnections(),
                        "Against the bare pool at the ceiling; at most " + number(most, 1)
                                + ". Its worst of a burst is "
                                + large.worstMs().textAndRange(0) + " ms with " + large.failures()
                                + " failures, wrapped " + wrapped.worstMs().textAndRange(0)
                                + " ms with " + wrapped.failures() + "."
                                + (met || wrapped.pool() != DirectoryPool.C3P0
                                        ? ""
                                        : " c3p0 closes what was idle for a second, and a steady load that takes all of"
                                                + " its connections in turn leaves none idle for so long.")),
                wrapped,
                large);
    }
}
