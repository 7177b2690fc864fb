// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.footprint;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.Report;
import io.flexpool.benchmarks.report.Table;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * All that one run says; its components are the JSON file's fields.
 *
 * @param scenario {@code footprint}
 * @param environment where it was measured
 * @param plan what each JVM did
 * @param jvms JVMs of each row
 * @param results one per variant, Java and number of processors
 */
public record FootprintReport(String scenario, Environment environment, Plan plan, int jvms, List<FootprintRow> results)
        implements Report {
    private static final double MOST_FIRST_BUILD_MS = 40;
    private static final double MOST_FIRST_CALL_MS = 5;
    private static final double MOST_KIB = 64;
    private static final double MOST_IDLE_MS = 2;

    static FootprintReport of(Plan plan, int jvms, List<FootprintRow> rows) {
        return new FootprintReport("footprint", Environment.here(), plan, jvms, List.copyOf(rows));
    }

    @Override
    public List<String> notes() {
        return List.of(
                environment.summary(),
                "fresh JVMs with G1, " + jvms + " for each row; " + plan.pools() + " HikariCP pools of " + plan.size()
                        + " on a stub driver, open and full before they are wrapped",
                "median over the JVMs (smallest–largest); KiB kept a pool without what all pools share: built, used by"
                        + " ten threads, and rested",
                "idle = processor time of the whole JVM with all pools at rest, after " + plan.restSeconds()
                        + " s of it, over " + plan.measureSeconds()
                        + " s; a pool = what that is more than bare's of the same round, divided by the pools; own = of flexpool's threads alone");
    }

    @Override
    public List<Table> tables() {
        return List.of(Columns.<FootprintRow>of("variant", FootprintRow::variant)
                .and("Java", FootprintRow::java)
                .and("CPUs", FootprintRow::processors)
                .and("first build ms", row -> row.firstBuildMs().textAndRange(1))
                .and("further ms", row -> row.furtherBuildMs().text(2))
                .and("first call ms", row -> row.firstCallMs().textAndRange(1))
                .and("classes", row -> row.classes().text(0))
                .and("threads", row -> row.threads().text(0))
                .and("built KiB", row -> row.builtKib().text(1))
                .and("used KiB", row -> row.usedKib().text(1))
                .and("rested KiB", row -> row.restedKib().text(1))
                .and("idle ms/min", row -> row.idleMsPerMinute().textAndRange(0))
                .and("a pool", row -> row.idleMsPerMinutePerPool().text(2))
                .and("own ms/min", row -> row.ownMsPerMinute().text(0))
                .and("MiB/min", row -> row.allocatedMibPerMinute().text(1))
                .table("", results));
    }

    @Override
    public Map<String, List<String>> goals() {
        List<String> verdicts = verdicts();
        return verdicts.isEmpty() ? Map.of() : Map.of("goals, each met if all JVMs meet it", verdicts);
    }

    /** One line for each of flexpool's rows. */
    List<String> verdicts() {
        return results.stream()
                .filter(row -> Stream.of(Subject.values())
                        .anyMatch(subject -> subject.flexpool() && Objects.equals(subject.toString(), row.variant())))
                .map(FootprintReport::verdict)
                .toList();
    }

    private static String verdict(FootprintRow row) {
        double kept = Stream.of(row.builtKib(), row.usedKib(), row.restedKib())
                .mapToDouble(Spread::most)
                .max()
                .orElse(Double.NaN);
        return row.variant() + ", Java " + row.java() + ", " + row.processors() + " CPUs: "
                + goal("first build", row.firstBuildMs().most(), MOST_FIRST_BUILD_MS, "ms") + "; "
                + goal("first call", row.firstCallMs().most(), MOST_FIRST_CALL_MS, "ms") + "; "
                + goal("a pool keeps", kept, MOST_KIB, "KiB") + "; "
                + goal("a pool's idle minute", row.idleMsPerMinutePerPool().most(), MOST_IDLE_MS, "ms");
    }

    private static String goal(String what, double worst, double most, String unit) {
        return Report.judged(what + " at most " + number(most, 0) + " " + unit, worst <= most, number(worst, 1));
    }
}
