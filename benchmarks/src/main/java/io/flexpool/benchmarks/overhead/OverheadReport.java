// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.JvmFacts;
import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.overhead.OverheadJvm.Answer;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.paired.PairedBenchmark;
import io.flexpool.benchmarks.paired.Slicing;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.Report;
import io.flexpool.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All that one run says; its components are the JSON file's fields.
 *
 * @param scenario {@code overhead}
 * @param environment where it was measured
 * @param warmUp rounds before those that count, under each load, of slices of 4 ms
 * @param slices the rounds that counted, and how long a variant ran in each
 * @param planned how many JVMs there should have been
 * @param endedEarly why there are fewer; null if there are not
 * @param jvms one each, in the order in which they ran
 * @param figuresRead how many figures of each variant were read between the slices, as its reporter would
 * @param results the figures of the JVMs of one Java, by load and length of a slice
 */
record OverheadReport(
        String scenario,
        Environment environment,
        int warmUp,
        List<Slicing> slices,
        int planned,
        @Nullable String endedEarly,
        List<Jvm> jvms,
        Map<String, Long> figuresRead,
        List<OverheadGroup> results)
        implements Report {

    /**
     * One JVM.
     *
     * @param number from 1
     * @param facts what its figures depend on
     * @param loadAverage the machine's load over the minute before
     * @param seconds how long it took
     */
    record Jvm(int number, JvmFacts facts, double loadAverage, double seconds) {}

    static OverheadReport of(OverheadJvm.Task task, OverheadSeries.Outcome outcome) {
        List<Jvm> jvms = new ArrayList<>();
        Map<String, Long> figuresRead = new TreeMap<>();
        for (Answer answer : outcome.answers()) {
            jvms.add(new Jvm(jvms.size() + 1, answer.facts(), answer.loadAverage(), answer.seconds()));
            answer.figuresRead().forEach((variant, count) -> figuresRead.merge(variant, count, Long::sum));
        }
        return new OverheadReport(
                "overhead",
                Environment.here(),
                task.warmUp(),
                List.copyOf(task.slicings()),
                outcome.planned(),
                outcome.endedEarly(),
                jvms,
                figuresRead,
                OverheadGroup.of(outcome.answers()));
    }

    @Override
    public List<String> notes() {
        List<String> notes = new ArrayList<>(List.of(
                environment.summary(),
                "getConnection() + close() on a stub driver; CPU ns per cycle, "
                        + slices.stream().map(Slicing::toString).collect(Collectors.joining(" and "))
                        + "; D = difference to bare in the same round, median of the rounds; I = the ideal's D",
                "in each JVM and under each load: a thread opens one connection and lives on without any, " + warmUp
                        + " rounds of warm-up, a full collection, the rounds that count",
                "each variant's figures are read after every " + PairedBenchmark.READ_EVERY
                        + " rounds, between slices: not counted",
                "HikariCP with " + PairedBenchmark.WEAK_REFERENCES + "=false: in its own class loader it would"
                        + " else allocate 32 bytes more per cycle"));
        byJava().forEach((java, ofJava) -> notes.add(java + ": " + note(ofJava)));
        if (jvms.size() > 1) {
            notes.add("of several JVMs the median, with the least and the most; in goals least / median / most");
        }
        if (endedEarly != null) {
            notes.add("ended after " + jvms.size() + " of " + planned + " JVMs: " + endedEarly);
        }
        return notes;
    }

    private static String note(List<Jvm> jvms) {
        JvmFacts facts = jvms.get(0).facts();
        Spread seconds = Spread.of(jvms.stream().mapToDouble(Jvm::seconds));
        return "JVMs: " + jvms.size() + ", " + facts.collector() + ", " + facts.cpus() + " CPUs, "
                + seconds.textAndRange(0) + " s each";
    }

    private Map<String, List<Jvm>> byJava() {
        Map<String, List<Jvm>> byJava = new LinkedHashMap<>();
        jvms.forEach(jvm -> byJava.computeIfAbsent(jvm.facts().name(), java -> new ArrayList<>())
                .add(jvm));
        return byJava;
    }

    /** A variant of one group. */
    private record Line(OverheadGroup group, OverheadFigures one) {
        double bytesOverBare() {
            return Spread.of(one.bytes()).median() - bareBytes(group);
        }
    }

    @Override
    public List<Table> tables() {
        return List.of(Columns.<Line>of("java", line -> line.group().java())
                .and("threads", line -> line.group().threads())
                .and("pool", line -> line.group().pool())
                .and("slice ms", line -> line.group().sliceMs())
                .and("variant", line -> line.one().variant())
                .number("cpu ns", 1, line -> Spread.of(line.one().cpuNs()).median())
                .number("D ns", 1, line -> Spread.of(line.one().dNs()).median())
                .number("D p25", 1, line -> Spread.of(line.one().dP25Ns()).median())
                .number("D p75", 1, line -> Spread.of(line.one().dP75Ns()).median())
                .number("D / I", 2, line -> inIdeals(line.one()).median())
                .number("least", 2, line -> inIdeals(line.one()).least())
                .number("most", 2, line -> inIdeals(line.one()).most())
                .number("bytes", 1, line -> Spread.of(line.one().bytes()).median())
                .number("over bare", 1, Line::bytesOverBare)
                .table(
                        "",
                        results.stream()
                                .flatMap(group -> group.variants().stream().map(one -> new Line(group, one)))
                                .toList()));
    }

    private static double bareBytes(OverheadGroup group) {
        return group.variants().stream()
                .filter(one -> one.variant().equals(Variant.BARE.toString()))
                .findFirst()
                .map(bare -> Spread.of(bare.bytes()).median())
                .orElse(Double.NaN);
    }

    private static Spread inIdeals(OverheadFigures one) {
        return Spread.of(one.inIdeals() == null ? List.of() : one.inIdeals());
    }

    @Override
    public Map<String, List<String>> goals() {
        return goals(OverheadGoals::verdicts);
    }

    /** One row for each variant, of each Java and length of a slice, and two columns for each load. */
    @Override
    public List<Table> pageTables() {
        Map<String, List<OverheadGroup>> blocks = results.stream()
                .collect(Collectors.groupingBy(OverheadReport::block, LinkedHashMap::new, Collectors.toList()));
        List<Row> rows = new ArrayList<>();
        blocks.forEach((block, groups) -> {
            for (int at = 0; at < groups.get(0).variants().size(); at++) {
                rows.add(new Row(block, groups, at));
            }
        });
        Function<Row, String> variant = row -> row.line(0).one().variant();
        Columns<Row> columns = blocks.size() > 1
                ? Columns.<Row>of("Java, slices", Row::block).and("variant", variant)
                : Columns.of("variant", variant);
        List<Load> loads = results.stream().map(OverheadGroup::load).distinct().toList();
        for (int load = 0; load < loads.size(); load++) {
            int at = load;
            columns = columns.and(
                            loads.get(at) + " D ns",
                            row -> Spread.of(row.line(at).one().dNs()).textAndRange(1))
                    .and("D / I", row -> row.inIdeals(at));
        }
        return List.of(columns.number("bytes over bare", 0, row -> row.line(0).bytesOverBare())
                .table("", rows));
    }

    /** One variant under all loads, which have the same variants in the same order. */
    private record Row(String block, List<OverheadGroup> groups, int variant) {
        Line line(int load) {
            return new Line(groups.get(load), groups.get(load).variants().get(variant));
        }

        String inIdeals(int load) {
            Spread inIdeals = OverheadReport.inIdeals(line(load).one());
            return inIdeals.known() ? inIdeals.textAndRange(2) : "-";
        }
    }

    private static String block(OverheadGroup group) {
        return group.java() + ", " + group.sliceMs() + " ms";
    }

    @Override
    public Map<String, List<String>> pageGoals() {
        return goals(OverheadGoals::summary);
    }

    private Map<String, List<String>> goals(Function<OverheadGoals, List<String>> sentences) {
        long blocks = results.stream().map(OverheadReport::block).distinct().count();
        Map<String, List<String>> goals = new LinkedHashMap<>();
        for (OverheadGroup group : results) {
            String heading = "goals, " + group.load() + (blocks > 1 ? ", " + block(group) : "");
            goals.put(heading, sentences.apply(new OverheadGoals(group)));
        }
        return goals;
    }
}
