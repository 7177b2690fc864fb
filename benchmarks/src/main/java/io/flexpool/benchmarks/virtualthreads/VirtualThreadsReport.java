// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.virtualthreads;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.report.Claim;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Measured;
import io.flexpool.benchmarks.report.ScenarioResult;
import io.flexpool.benchmarks.report.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes the scenario's result of what was measured. */
final class VirtualThreadsReport {
    /** Of the figures of fewer rounds a busy moment of the machine may be the reason. */
    private static final int ENOUGH_ROUNDS = 3;

    private static final double ALL_BUSY = 0.9;
    private static final double PERCENT = 100;
    private static final String OURS = "flexpool";
    private static final String REPORTED = "a user of HikariCP 7.0.2, April 2026";

    private final Plan plan;
    private final List<Row> rows;
    private final List<Standing> standings;

    VirtualThreadsReport(Plan plan, List<Row> rows) {
        this.plan = plan;
        this.rows = rows;
        this.standings = Standing.of(rows);
    }

    /**
     * Figures for programs.
     *
     * @param plan what was to be measured
     * @param rows one for each measurement
     */
    public record Figures(Plan plan, List<Row> rows) {}

    /**
     * The result.
     *
     * @param complete whether all was measured
     * @param command how to repeat it
     */
    ScenarioResult result(Instant started, boolean complete, List<String> command) {
        return ScenarioResult.of(
                new ScenarioResult.Run(
                        "virtual-threads",
                        "Virtual threads: " + number(plan.threads(), 0) + " of them on " + plan.connections()
                                + " connections",
                        started,
                        complete,
                        command,
                        options()),
                findings(),
                List.of(table()),
                List.of(),
                notes(),
                new Figures(plan, rows));
    }

    private Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("db", joined(plan.databases()));
        options.put("variants", joined(plan.variants()));
        options.put("threads", Integer.toString(plan.threads()));
        options.put("connections", Integer.toString(plan.connections()));
        options.put("work", plan.workMicros() + " µs");
        options.put("warm-up", plan.warmUpMillis() + " ms");
        options.put("measured", plan.millis() + " ms");
        options.put("rounds", Integer.toString(plan.rounds()));
        options.put("seed", Long.toString(plan.seed()));
        return options;
    }

    private static String joined(List<?> values) {
        return values.stream().map(Object::toString).collect(Collectors.joining(","));
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add("Each thread takes a connection, keeps it busy for " + plan.workMicros()
                + " µs, gives it back and ends, and another one takes its place; so "
                + number(plan.threads() - plan.connections(), 0)
                + " wait all the time.");
        notes.add(
                "Medians of the rounds, with the least and the most. A request that still waits at the end counts with what it has"
                        + " waited until then. Processor: of the whole JVM. Busy carriers and queued threads are"
                        + " the scheduler's own estimates, which Java has from 24 on, read 200 times a second. Pinned: events"
                        + " of the JVM's recorder, however short, in all rounds.");
        rows.stream()
                .filter(row -> row.firstFailure() != null)
                .findFirst()
                .ifPresent(row -> notes.add(
                        "The first failure, " + row.variant() + " on " + row.database() + ": " + row.firstFailure()));
        return notes;
    }

    private Table table() {
        return Columns.<Standing>of("database", Standing::database)
                .and("pool", Standing::variant)
                .and("requests/s", cell(Row::requestsPerSecond, 0, 1))
                .and("wait p50 ms", cell(Row::waitP50Ms, 0, 1))
                .and("wait p99 ms", cell(Row::waitP99Ms, 0, 1))
                .and("whole p99 ms", cell(Row::wholeP99Ms, 0, 1))
                .and("processor µs a request", cell(Row::processorMicros, 0, 1))
                .and("carriers busy %", cell(Row::carriersBusy, 0, PERCENT))
                .and("queued threads", cell(Row::queued, 0, 1))
                .and("pinned", one -> number((double) one.pinned(), 0))
                .and("failed", one -> number((double) one.failed(), 0))
                .table("", standings);
    }

    private static Function<Standing, String> cell(Function<Row, @Nullable Double> figure, int decimals, double times) {
        return one -> {
            String text = one.spread(row -> {
                        Double known = figure.apply(row);
                        return known == null ? null : times * known;
                    })
                    .textAndRange(decimals);
            return text.isEmpty() ? "-" : text;
        };
    }

    // ---- what was claimed, and what is aimed at ----

    private List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        for (LeaseDatabase database : plan.databases()) {
            findings.add(saturation(database).judged(standings));
            findings.add(goal(
                            database,
                            "behind the gate at least 0.95 times as many requests are served",
                            Row::requestsPerSecond,
                            "/s",
                            (gated, bare) -> gated >= 0.95 * bare)
                    .judged(standings));
            findings.add(goal(
                            database,
                            "behind the gate 99 of 100 requests wait at most 1.05 times as long",
                            Row::waitP99Ms,
                            " ms",
                            (gated, bare) -> gated <= 1.05 * bare)
                    .judged(standings));
            findings.add(goal(
                            database,
                            "behind the gate a request takes no more of the processor's time",
                            Row::processorMicros,
                            " µs",
                            (gated, bare) -> gated <= bare)
                    .judged(standings));
        }
        return findings;
    }

    private Claim<List<Standing>> saturation(LeaseDatabase database) {
        return Claim.of(
                REPORTED,
                database + ": while virtual threads wait for HikariCP, giving connections back keeps all carriers busy",
                "6 of 6 carriers",
                all -> Standing.find(all, database, Variant.BARE)
                        .map(bare -> Measured.of(
                                        number(PERCENT * bare.median(Row::carriersBusy), 0) + " % of the carriers",
                                        null,
                                        "HikariCP by itself, " + bare.rounds().size() + " rounds")
                                .unless(
                                        Double.isNaN(bare.median(Row::carriersBusy)),
                                        "this Java does not say how busy its carriers are, 24 and newer do")
                                .unless(bare.rounds().size() < ENOUGH_ROUNDS, fewRounds()))
                        .orElseGet(() -> Measured.nothing("HikariCP by itself on " + database)),
                all -> Standing.find(all, database, Variant.BARE)
                        .map(bare -> bare.median(Row::carriersBusy) >= ALL_BUSY)
                        .orElse(false));
    }

    private static String fewRounds() {
        return "there are fewer than " + ENOUGH_ROUNDS + " rounds";
    }

    private Claim<List<Standing>> goal(
            LeaseDatabase database,
            String aim,
            Function<Row, @Nullable Double> figure,
            String unit,
            BiPredicate<Double, Double> met) {
        return Claim.goal(
                OURS,
                database + ": " + aim,
                all -> both(all, database)
                        .map(two -> Measured.of(
                                        number(two.gated().median(figure), 1) + unit,
                                        two.gated().median(figure) / two.bare().median(figure),
                                        "HikariCP by itself "
                                                + number(two.bare().median(figure), 1) + unit)
                                .unless(two.bare().rounds().size() < ENOUGH_ROUNDS, fewRounds())
                                .unless(
                                        two.bare().failed() > 0 && two.gated().failed() == 0,
                                        "requests of HikariCP by itself failed, which are not among its figures"))
                        .orElseGet(() -> Measured.nothing("HikariCP by itself and behind the gate on " + database)),
                all -> both(all, database)
                        .map(two ->
                                met.test(two.gated().median(figure), two.bare().median(figure)))
                        .orElse(false));
    }

    private record Two(Standing bare, Standing gated) {}

    private static Optional<Two> both(List<Standing> all, LeaseDatabase database) {
        return Standing.find(all, database, Variant.BARE)
                .flatMap(bare -> Standing.find(all, database, Variant.GATED).map(gated -> new Two(bare, gated)));
    }
}
