// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.report.Claim;
import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Measured;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the comparison claimed, beside what was measured, and then what this project aims at. */
final class DirectoryFindings {
    private static final String TEAM = "a telecom team's comparison of pools";
    /** Of each burst of 100, by c3p0. */
    private static final double PUBLISHED_LOST = 0.7;
    /** Less of a difference in the mean is none. */
    private static final double CLEARLY_FEWER = 0.95;
    /** Tomcat JDBC's connections by c3p0's. */
    private static final double PUBLISHED_SHARE = 100 / 120.0;
    /** Two may be alike by chance. */
    private static final int FEWEST_BURSTS = 3;

    /** What others may lose of what c3p0 loses: while they grow for the first time. */
    private static final double NEXT_TO_NONE = 0.05;

    /** A machine that sends requests later than this says nothing of pools, milliseconds. */
    static final double LATE_MS = 25;

    /** Up to here a share of a request's time is small. */
    private static final double SMALL_SHARE = 0.1;

    /** The bare pools that may lose requests: with the ceiling and the deadline none should. */
    private static final List<Variant> IMPATIENT =
            List.of(Variant.BARE, Variant.BARE_GROWING, Variant.BARE_SAME_DEADLINE);

    private static final List<Claim<DirectoryFindings>> CLAIMS = List.of(
            Claim.of(
                    TEAM,
                    "c3p0 fails in bursts, HikariCP and Tomcat JDBC do not",
                    "of each burst of 100: c3p0 about 70, Tomcat JDBC 0; in an hour 75, 0 and 0",
                    DirectoryFindings::losses,
                    // As the published pools, which grew by themselves to the connections that they needed.
                    its -> its.onlyC3p0Loses(Variant.BARE_GROWING)),
            Claim.of(
                    TEAM,
                    "In the average the three pools are alike",
                    "0.25035042, 0.24209265 and 0.25102726 s: 4 % apart",
                    DirectoryFindings::averages,
                    its -> its.apart(DirectoryFindings::steadyMs) <= SMALL_SHARE),
            Claim.of(
                    TEAM,
                    "Tomcat JDBC needs fewer connections than c3p0 for the same load",
                    "100 against 120",
                    DirectoryFindings::connectionsNeeded,
                    its -> its.tomcatOverC3p0() <= CLEARLY_FEWER),
            Claim.of(
                    TEAM,
                    "The pool is not the bottleneck, the log is",
                    "250 ms with the log on the local disk, 9 ms (c3p0) and 12 ms (Tomcat JDBC) with a remote log",
                    DirectoryFindings::bottleneck,
                    its -> its.waitsLittle(DirectoryRow::steady)));

    private final DirectoryLoad load;
    private final Sizes sizes;
    private final List<DirectoryRow> rows;

    DirectoryFindings(DirectoryLoad load, Sizes sizes, List<DirectoryRow> rows) {
        this.load = load;
        this.sizes = sizes;
        this.rows = rows;
    }

    List<Finding> all() {
        return Stream.concat(
                        CLAIMS.stream().map(claim -> claim.judged(this)),
                        new DirectoryGoals(load, sizes, rows).all().stream())
                .toList();
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

    /** A difference between pools that a busy machine, or a failing database, may have made is none. */
    static Measured fairly(Measured evidence, List<DirectoryRow> compared) {
        double late =
                compared.stream().mapToDouble(DirectoryRow::lateStartMs).max().orElse(0);
        int broken = compared.stream().mapToInt(DirectoryRow::broken).sum();
        int bursts = compared.stream()
                .mapToInt(row -> row.failuresPerBurst().size())
                .min()
                .orElse(0);
        return evidence.unless(bursts < FEWEST_BURSTS, bursts + " bursts are too few, " + FEWEST_BURSTS + " are needed")
                .unless(
                        late > LATE_MS,
                        "the machine had other things to do: 1 request in 100 was sent " + number(late, 0) + " ms late")
                .unless(broken > 0, broken + " requests failed for another reason than a refused connection");
    }

    /** All three, or none: the claim is about the difference. */
    private boolean everyPoolHas(Variant variant) {
        return of(variant).size() == DirectoryPool.values().length;
    }

    private Measured losses() {
        if (!everyPoolHas(Variant.BARE_GROWING)) {
            return Measured.nothing("all three pools " + Variant.BARE_GROWING);
        }
        List<DirectoryRow> growing = of(Variant.BARE_GROWING);
        double lost = growing.stream()
                .filter(row -> row.pool() == DirectoryPool.C3P0)
                .mapToDouble(row -> row.lost().median())
                .sum();
        return fairly(
                Measured.of(
                        "of each burst of " + load.burstSize() + ", " + Variant.BARE_GROWING + ", median: "
                                + each(growing, row -> row.lost().textAndRange(0)),
                        lost / load.burstSize() / PUBLISHED_LOST,
                        whatItTakes()),
                growing);
    }

    /** c3p0 in most bursts, the others in few and next to nothing. */
    private boolean onlyC3p0Loses(Variant variant) {
        if (!everyPoolHas(variant)) {
            return false;
        }
        int lost = of(variant).stream()
                .filter(row -> row.pool() == DirectoryPool.C3P0)
                .mapToInt(DirectoryFindings::lostAmongBursts)
                .sum();
        return of(variant).stream()
                .allMatch(row -> row.pool() == DirectoryPool.C3P0
                        ? row.lost().median() > 0
                        : row.lost().median() == 0 && lostAmongBursts(row) <= NEXT_TO_NONE * lost);
    }

    private static int lostAmongBursts(DirectoryRow row) {
        return row.failuresPerBurst().stream().mapToInt(Integer::intValue).sum();
    }

    /** In the words of what was measured: which of time and room makes the difference. */
    private String whatItTakes() {
        List<Variant> only = IMPATIENT.stream().filter(this::onlyC3p0Loses).toList();
        StringBuilder why = new StringBuilder("All three with the same sizes and timeouts. It takes ");
        why.append(
                only.isEmpty()
                        ? "more than that: in no variant does c3p0 lose requests of most bursts where the others lose next to none."
                        : only.stream().map(Variant::words).collect(Collectors.joining(", or "))
                                + ": there c3p0 loses requests of most bursts and the others next to none.");
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
            why.append(each(of(variant), row -> row.lost().textAndRange(0))).append('.');
        }
    }

    private Measured averages() {
        if (!everyPoolHas(Variant.BARE)) {
            return Measured.nothing("all three pools " + Variant.BARE);
        }
        List<DirectoryRow> bare = of(Variant.BARE);
        double apart = apart(DirectoryFindings::steadyMs);
        double rest = apart(row -> row.steady().apartFromIdleMs());
        Measured evidence = Measured.of(
                each(bare, row -> number(steadyMs(row), 1) + " ms") + ": " + number(100 * apart, 1)
                        + " % apart; without the log "
                        + each(bare, row -> number(row.steady().apartFromIdleMs(), 2) + " ms") + ": "
                        + number(100 * rest, 0) + " % apart",
                null,
                "Averages of the steady phase, each pool bare. The log of " + sizes.logMs()
                        + " ms, put there by this scenario, makes any three pools alike; so what is left without it must"
                        + " be alike too. Among the bursts: "
                        + each(bare, row -> number(row.inBursts().meanMs(), 1) + " ms") + ".");
        return fairly(
                evidence.unless(
                        apart <= SMALL_SHARE && rest > SMALL_SHARE, "with the log they are alike, and without it not"),
                bare);
    }

    private static double steadyMs(DirectoryRow row) {
        return row.steady().meanMs();
    }

    /** By how much the largest of the bare pools' figures exceeds the smallest; 0.1 is 10 %. */
    private double apart(ToDoubleFunction<DirectoryRow> figure) {
        DoubleSummaryStatistics all =
                of(Variant.BARE).stream().mapToDouble(figure).summaryStatistics();
        return all.getMax() / all.getMin() - 1;
    }

    private Measured connectionsNeeded() {
        Optional<DirectoryRow> tomcat = row(DirectoryPool.TOMCAT, Variant.BARE_GROWING);
        Optional<DirectoryRow> c3p0 = row(DirectoryPool.C3P0, Variant.BARE_GROWING);
        if (tomcat.isEmpty() || c3p0.isEmpty()) {
            return Measured.nothing("both pools " + Variant.BARE_GROWING);
        }
        List<DirectoryRow> both = List.of(tomcat.get(), c3p0.get());
        Measured evidence = Measured.of(
                tomcat.get().peakConnections() + " against " + c3p0.get().peakConnections() + " at most, "
                        + number(tomcat.get().meanConnections(), 1) + " against "
                        + number(c3p0.get().meanConnections(), 1) + " in the mean",
                tomcatOverC3p0() / PUBLISHED_SHARE,
                "The ratio is of the means; at least 5 % fewer counts. The most physical connections at once of each pool"
                        + " that may open from " + sizes.base() + " to " + sizes.ceiling() + " by itself.");
        return fairly(
                evidence.unless(
                        both.stream().allMatch(row -> row.peakConnections() == sizes.ceiling()),
                        "both reached the ceiling, so what they would need without it is not known"),
                both);
    }

    /** In the mean; only where both were measured. */
    private double tomcatOverC3p0() {
        return meanConnections(DirectoryPool.TOMCAT) / meanConnections(DirectoryPool.C3P0);
    }

    private double meanConnections(DirectoryPool pool) {
        return row(pool, Variant.BARE_GROWING).orElseThrow().meanConnections();
    }

    private Measured bottleneck() {
        List<DirectoryRow> bare = of(Variant.BARE);
        if (bare.isEmpty()) {
            return Measured.nothing("a pool " + Variant.BARE);
        }
        Measured evidence = Measured.of(
                "waiting for a connection, steady: "
                        + each(bare, row -> percent(row.steady().waitShare()))
                        + " of a request's time; among bursts: "
                        + each(bare, row -> percent(row.inBursts().waitShare())),
                null,
                "The log, a pause of " + sizes.logMs() + " ms put there by this scenario, is "
                        + each(bare, row -> percent(row.steady().idleShare()))
                        + " of a steady request, the database "
                        + each(bare, row -> percent(row.steady().databaseShare()))
                        + ". Computed, not measured: without the log a steady request would take "
                        + each(bare, row -> number(row.steady().apartFromIdleMs(), 1) + " ms") + ".");
        return fairly(
                evidence.unless(
                        waitsLittle(DirectoryRow::steady) && !waitsLittle(DirectoryRow::inBursts),
                        "it holds in the steady phase and not among bursts, and the published figures do not say which"
                                + " they are of"),
                bare);
    }

    /** Who waits less than the rest of a request takes is no bottleneck; the log's part is this scenario's own choice. */
    private boolean waitsLittle(Function<DirectoryRow, DirectoryRow.Phase> phase) {
        return of(Variant.BARE).stream().allMatch(row -> phase.apply(row).waitShare() <= SMALL_SHARE);
    }

    private static String percent(double share) {
        return number(100 * share, 1) + " %";
    }
}
