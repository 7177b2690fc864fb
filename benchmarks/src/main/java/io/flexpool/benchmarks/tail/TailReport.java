// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.NameConverter;
import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.Report;
import io.flexpool.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * All that one run says; its components are the JSON file's fields.
 *
 * @param scenario {@code tail}
 * @param environment where it was measured; each run has its own Java
 * @param load what the clients did
 * @param timedEvery one in so many requests was timed
 * @param jvms JVMs of each Java and variant
 * @param results one per Java and variant
 * @param runs one per window of each JVM
 */
record TailReport(
        String scenario,
        Environment environment,
        TailLoad load,
        int timedEvery,
        int jvms,
        List<TailRow> results,
        List<TailRun> runs)
        implements Report {
    /** From here on a digit after the point says nothing. */
    private static final int LARGE = 100;

    static TailReport of(TailLoad load, int jvms, List<TailRun> runs) {
        Map<String, List<TailRun>> byJava = runs.stream()
                .collect(Collectors.groupingBy(run -> run.jvm().name(), LinkedHashMap::new, Collectors.toList()));
        List<TailRow> rows = new ArrayList<>();
        byJava.values().forEach(ofJava -> rows.addAll(rows(ofJava)));
        return new TailReport(
                "tail", Environment.here(), load, load.timedEvery(), jvms, List.copyOf(rows), List.copyOf(runs));
    }

    private static List<TailRow> rows(List<TailRun> runs) {
        Map<String, List<TailRun>> byVariant = runs.stream().collect(Collectors.groupingBy(TailRun::variant));
        List<TailRun> bare = byVariant.getOrDefault(Variant.BARE.toString(), List.of());
        return byVariant.values().stream()
                .map(ofVariant -> TailRow.of(ofVariant, bare))
                .sorted(Comparator.comparing(row -> new NameConverter<>(Variant.class).convert(row.variant())))
                .toList();
    }

    @Override
    public List<String> notes() {
        return List.of(
                environment.summary(),
                load.threads() + " clients on " + load.pool() + " connections of HikariCP over a stub driver; "
                        + lease() + "; then it asks again at once",
                "a closed loop: a client that waits asks for nothing meanwhile, so a slow variant is asked less often;"
                        + " nothing corrects that, and these are not the waits of requests that arrive at their own rate",
                windows()
                        + "; shown are the median and, in brackets, the least and the most of them; / bare = over bare"
                        + " in the same round",
                "wait = wall time of getConnection(), "
                        + (timedEvery == 1
                                ? "of every request"
                                : "of one in " + timedEvery
                                        + " requests, because two clock reads would be a good part of a cycle"),
                "a client's leases = those of the client with the fewest and of that with the most, of all windows; busy ="
                        + " connections held, mean over time; open = the most connections open at once");
    }

    private String lease() {
        List<String> parts = new ArrayList<>();
        if (load.holdMicros() > 0) {
            parts.add("keeps its connection for " + time(load.holdMicros()) + " without using a processor");
        }
        if (load.burnHeldMicros() > 0) {
            parts.add("uses " + time(load.burnHeldMicros()) + " of processor time while it has its connection");
        }
        if (load.burnBetweenMicros() > 0) {
            parts.add("uses " + time(load.burnBetweenMicros()) + " of processor time between two leases");
        }
        return "each " + (parts.isEmpty() ? "gives its connection back at once" : String.join(", ", parts));
    }

    private static String time(int micros) {
        return micros % 1000 == 0 ? micros / 1000 + " ms" : number(micros, 0) + " us";
    }

    private String windows() {
        return jvms + (jvms == 1 ? " JVM" : " JVMs") + " of each Java and variant, one after the other in random order,"
                + " each with " + load.warmUpSeconds() + " s of warm-up and a collection in it, then " + load.repeat()
                + (load.repeat() == 1 ? " window" : " windows") + " of " + load.seconds() + " s";
    }

    @Override
    public List<Table> tables() {
        return List.of(Columns.<TailRow>of("Java", TailRow::java)
                .and("variant", TailRow::variant)
                .and("leases/s", row -> figure(row.opsPerSecond()))
                .and("/ bare", row -> row.overBare().opsPerSecond().text(2))
                .and("mean wait us", row -> figure(row.meanMicros()))
                .and("p50 us", row -> figure(row.p50Micros()))
                .and("p99 us", row -> figure(row.p99Micros()))
                .and("p99.9 us", row -> figure(row.p999Micros()))
                .and("max us", row -> figure(row.maxMicros()))
                .and(
                        "a client's leases",
                        row -> number(row.fewest().least(), 0) + "–"
                                + number(row.most().most(), 0))
                .and(
                        "CPU us a lease",
                        row -> row.cpuMicrosPerOp()
                                .textAndRange(row.cpuMicrosPerOp().median() < 10 ? 2 : 1))
                .and("/ bare", row -> row.overBare().cpuMicrosPerOp().text(2))
                .and("busy", row -> row.busy().text(2))
                .and("open", row -> row.mostOpen().range(0))
                .table("", results));
    }

    private static String figure(Spread spread) {
        return spread.textAndRange(spread.median() < LARGE ? 1 : 0);
    }

    @Override
    public Map<String, List<String>> goals() {
        return new TailVerdicts(results, runs, timedEvery > 1).byHeading();
    }
}
