// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the comparison claimed and what this project aims at, beside what was measured. */
final class DirectoryFindings {
    private static final String TEAM = "a telecom team's comparison of pools";
    private static final String GOAL = "goal of this project";
    private static final double THROUGHPUT_GOAL = 0.97;
    /** A machine that sends requests later than this says nothing of pools, milliseconds. */
    static final double LATE_MS = 25;

    /** Up to here a share of a request's time is small. */
    private static final double SMALL_SHARE = 0.1;

    /** The bare pools that may lose requests: with the ceiling and the deadline none should. */
    private static final List<Variant> IMPATIENT =
            List.of(Variant.BARE, Variant.BARE_GROWING, Variant.BARE_SAME_DEADLINE);

    private final DirectoryLoad load;
    private final Sizes sizes;
    private final List<DirectoryRow> rows;

    DirectoryFindings(DirectoryLoad load, Sizes sizes, List<DirectoryRow> rows) {
        this.load = load;
        this.sizes = sizes;
        this.rows = rows;
    }

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        findings.add(onlyC3p0Fails());
        findings.add(averages());
        findings.add(connectionsNeeded());
        findings.add(bottleneck());
        for (DirectoryPool pool : DirectoryPool.values()) {
            row(pool, Variant.WRAPPED).ifPresent(wrapped -> {
                findings.add(noFailure(wrapped));
                row(pool, Variant.BARE).ifPresent(bare -> findings.add(throughput(wrapped, bare)));
                findings.addAll(change(wrapped));
            });
        }
        return findings;
    }

    private Optional<DirectoryRow> row(DirectoryPool pool, Variant variant) {
        return rows.stream()
                .filter(row -> row.pool() == pool && row.variant() == variant)
                .findFirst();
    }

    private List<DirectoryRow> of(Variant variant) {
        return rows.stream().filter(row -> row.variant() == variant).toList();
    }

    private static String each(List<DirectoryRow> rows, Function<DirectoryRow, String> figure) {
        return rows.stream().map(row -> row.pool() + " " + figure.apply(row)).collect(Collectors.joining(", "));
    }

    private static Finding unjudged(String claim, String published, String missing) {
        return new Finding(
                claim, TEAM, published, "-", null, Verdict.CANNOT_BE_JUDGED, "this run did not measure " + missing);
    }

    /** A difference between pools that a busy machine may have made is none. */
    private static Finding judged(Finding finding, List<DirectoryRow> compared) {
        double late =
                compared.stream().mapToDouble(DirectoryRow::lateStartMs).max().orElse(0);
        return late <= LATE_MS
                ? finding
                : new Finding(
                        finding.claim(),
                        finding.source(),
                        finding.published(),
                        finding.measured(),
                        finding.ratio(),
                        Verdict.CANNOT_BE_JUDGED,
                        "The machine had other things to do: 1 request in 100 was sent " + number(late, 0)
                                + " ms late. " + finding.why());
    }

    /** All three, or none: the claim is about the difference. */
    private boolean everyPoolHas(Variant variant) {
        return of(variant).size() == DirectoryPool.values().length;
    }

    private Finding onlyC3p0Fails() {
        String claim = "c3p0 fails in bursts, HikariCP and Tomcat JDBC do not";
        String published = "of each burst of 100: c3p0 about 70, Tomcat JDBC 0; in an hour 75, 0 and 0";
        if (!everyPoolHas(Variant.BARE)) {
            return unjudged(claim, published, "all three pools " + Variant.BARE);
        }
        List<Variant> only = IMPATIENT.stream().filter(this::onlyC3p0Loses).toList();
        return judged(
                new Finding(
                        claim,
                        TEAM,
                        published,
                        "of each burst of " + load.burstSize() + ", " + Variant.BARE + ": "
                                + each(of(Variant.BARE), DirectoryFindings::perBurst),
                        null,
                        only.isEmpty() ? Verdict.NOT_REPRODUCED : Verdict.REPRODUCED,
                        whatItTakes(only)),
                rows.stream().filter(row -> IMPATIENT.contains(row.variant())).toList());
    }

    private static String perBurst(DirectoryRow row) {
        return number(row.medianFailures(), 0) + " (most " + row.mostFailures() + ")";
    }

    private boolean onlyC3p0Loses(Variant variant) {
        return everyPoolHas(variant)
                && of(variant).stream()
                        .allMatch(row -> (row.pool() == DirectoryPool.C3P0)
                                == (row.inBursts().failures() > 0));
    }

    /** In the words of what was measured: which of time and room makes the difference. */
    private String whatItTakes(List<Variant> only) {
        StringBuilder why = new StringBuilder("All three with the same sizes and timeouts. It takes ");
        why.append(
                only.isEmpty()
                        ? "more than that: in no variant does c3p0 lose requests where the others lose none."
                        : only.stream().map(Variant::words).collect(Collectors.joining(", or "))
                                + ": there c3p0 loses requests and the others lose none.");
        addVariant(why, Variant.BARE, sizes.base() + " connections and " + sizes.timeoutMs() + " ms to wait");
        addVariant(
                why,
                Variant.BARE_GROWING,
                sizes.base() + " to " + sizes.ceiling() + " connections and " + sizes.timeoutMs() + " ms");
        addVariant(why, Variant.BARE_SAME_DEADLINE, sizes.base() + " connections and " + sizes.deadlineMs() + " ms");
        addVariant(why, Variant.BARE_CEILING, sizes.ceiling() + " connections and " + sizes.deadlineMs() + " ms");
        rows.stream()
                .filter(row -> IMPATIENT.contains(row.variant()) && row.steady().failures() > 0)
                .forEach(row -> why.append(" Without any burst ")
                        .append(row.pool())
                        .append(' ')
                        .append(row.variant())
                        .append(" lost ")
                        .append(row.steady().failures())
                        .append(" of ")
                        .append(row.steady().requests())
                        .append('.'));
        return why.append(" By default HikariCP and Tomcat JDBC wait 30 s, and c3p0 without end.")
                .toString();
    }

    private void addVariant(StringBuilder why, Variant variant, String words) {
        if (!of(variant).isEmpty()) {
            why.append(" Lost of a burst with ").append(words).append(": ");
            why.append(each(of(variant), DirectoryFindings::perBurst)).append('.');
        }
    }

    private Finding averages() {
        String claim = "In the average the three pools are alike";
        String published = "0.250, 0.242 and 0.251 s: 4 % apart";
        if (!everyPoolHas(Variant.BARE)) {
            return unjudged(claim, published, "all three pools " + Variant.BARE);
        }
        DoubleSummaryStatistics means = of(Variant.BARE).stream()
                .mapToDouble(row -> row.steady().meanMs())
                .summaryStatistics();
        double apart = means.getMax() / means.getMin() - 1;
        return judged(
                new Finding(
                        claim,
                        TEAM,
                        published,
                        each(of(Variant.BARE), row -> number(row.steady().meanMs(), 1) + " ms") + ": "
                                + number(100 * apart, 1) + " % apart",
                        null,
                        apart <= SMALL_SHARE ? Verdict.REPRODUCED : Verdict.NOT_REPRODUCED,
                        "Averages of the steady phase, each pool bare. Here a request logs for " + sizes.logMs()
                                + " ms, so the figures themselves are not to be compared."),
                of(Variant.BARE));
    }

    private Finding connectionsNeeded() {
        String claim = "Tomcat JDBC needs fewer connections than c3p0 for the same load";
        String published = "100 against 120";
        Optional<DirectoryRow> tomcat = row(DirectoryPool.TOMCAT, Variant.BARE_GROWING);
        Optional<DirectoryRow> c3p0 = row(DirectoryPool.C3P0, Variant.BARE_GROWING);
        if (tomcat.isEmpty() || c3p0.isEmpty()) {
            return unjudged(claim, published, "both pools " + Variant.BARE_GROWING);
        }
        int fewer = tomcat.get().peakConnections();
        int more = c3p0.get().peakConnections();
        return judged(
                new Finding(
                        claim,
                        TEAM,
                        published,
                        fewer + " against " + more + " at most, "
                                + number(tomcat.get().meanConnections(), 1) + " against "
                                + number(c3p0.get().meanConnections(), 1) + " in the mean",
                        (double) fewer / more,
                        fewer < more ? Verdict.REPRODUCED : Verdict.NOT_REPRODUCED,
                        "The most physical connections at once of each pool that may open from " + sizes.base() + " to "
                                + sizes.ceiling() + " by itself."),
                List.of(tomcat.get(), c3p0.get()));
    }

    private Finding bottleneck() {
        String claim = "The pool is not the bottleneck, the log is";
        String published =
                "250 ms with the log on the local disk, 9 ms (c3p0) and 12 ms (Tomcat JDBC) with a remote log";
        List<DirectoryRow> bare = of(Variant.BARE);
        if (bare.isEmpty()) {
            return unjudged(claim, published, "a pool " + Variant.BARE);
        }
        boolean holds = bare.stream()
                .map(DirectoryRow::steady)
                .allMatch(steady -> steady.waitShare() <= SMALL_SHARE && steady.idleShare() > 0.5);
        return judged(
                new Finding(
                        claim,
                        TEAM,
                        published,
                        "waiting for a connection "
                                + each(bare, row -> number(100 * row.steady().waitShare(), 1) + " %")
                                + " of a request's time; without the log it would take "
                                + each(
                                        bare,
                                        row -> number(
                                                        row.steady().meanMs()
                                                                - row.steady().idleMs(),
                                                        1) + " ms"),
                        null,
                        holds ? Verdict.REPRODUCED : Verdict.NOT_REPRODUCED,
                        "In the steady phase; holding the connection idle, while the log is written, takes "
                                + each(bare, row -> number(100 * row.steady().idleShare(), 1) + " %")
                                + ", the database "
                                + each(bare, row -> number(100 * row.steady().databaseShare(), 1) + " %")
                                + ". The log of this scenario is a pause of " + sizes.logMs() + " ms."),
                bare);
    }

    private Finding noFailure(DirectoryRow wrapped) {
        return new Finding(
                "No request fails in any burst: " + wrapped.pool() + " wrapped",
                GOAL,
                null,
                wrapped.failures() + " failures of "
                        + number(
                                wrapped.steady().requests() + wrapped.inBursts().requests(), 0)
                        + " requests",
                null,
                wrapped.failures() == 0 ? Verdict.GOAL_MET : Verdict.GOAL_MISSED,
                wrapped.failures() == 0
                        ? load.bursts() + " bursts of " + load.burstSize() + " were served in full"
                        : "first refusal: " + wrapped.firstRefusal() + "; " + wrapped.broken()
                                + " failed otherwise, first: " + wrapped.firstBreak());
    }

    private static Finding throughput(DirectoryRow wrapped, DirectoryRow bare) {
        double ratio = wrapped.steady().perSecond() / bare.steady().perSecond();
        return judged(
                new Finding(
                        "Wrapped, " + wrapped.pool() + " serves at least " + THROUGHPUT_GOAL
                                + " of what it serves bare",
                        GOAL,
                        null,
                        number(wrapped.steady().perSecond(), 1) + " against "
                                + number(bare.steady().perSecond(), 1) + " requests/s",
                        ratio,
                        ratio >= THROUGHPUT_GOAL ? Verdict.GOAL_MET : Verdict.GOAL_MISSED,
                        "Steady phase. The load is open, so both can reach no more than the rate; their average latencies are "
                                + number(wrapped.steady().meanMs(), 2) + " and "
                                + number(bare.steady().meanMs(), 2) + " ms."),
                List.of(wrapped, bare));
    }

    /** Against patience alone and against connections alone: nobody shall say that only a timeout was doubled. */
    private List<Finding> change(DirectoryRow wrapped) {
        Optional<DirectoryRow> patient = row(wrapped.pool(), Variant.BARE_SAME_DEADLINE);
        Optional<DirectoryRow> large = row(wrapped.pool(), Variant.BARE_CEILING);
        if (patient.isEmpty() || large.isEmpty()) {
            return List.of();
        }
        boolean faster = wrapped.medianWorstMs() < patient.get().medianWorstMs();
        boolean smaller = wrapped.meanConnections() < large.get().meanConnections();
        return List.of(judged(
                new Finding(
                        "Wrapped, " + wrapped.pool()
                                + " drains bursts faster than patience alone, with fewer connections than the ceiling",
                        GOAL,
                        null,
                        "worst of a burst " + number(wrapped.medianWorstMs(), 0) + " ms with "
                                + number(wrapped.meanConnections(), 1) + " connections in the mean",
                        wrapped.medianWorstMs() / patient.get().medianWorstMs(),
                        faster && smaller ? Verdict.GOAL_MET : Verdict.GOAL_MISSED,
                        "The bare pool with the same deadline: " + describe(patient.get())
                                + ". The bare pool at the ceiling: " + describe(large.get())
                                + ". The ratio is wrapped by same deadline."),
                List.of(wrapped, patient.get(), large.get())));
    }

    private static String describe(DirectoryRow row) {
        return "worst " + number(row.medianWorstMs(), 0) + " ms, " + number(row.meanConnections(), 1) + " connections, "
                + row.failures() + " failures";
    }
}
