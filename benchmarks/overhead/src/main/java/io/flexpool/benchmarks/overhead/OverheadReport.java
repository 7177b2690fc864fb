// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.JvmFacts;
import io.flexpool.benchmarks.kit.Report;
import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.overhead.OverheadJvm.Answer;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.paired.PairedBenchmark;
import io.flexpool.benchmarks.paired.Slicing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

    @Override
    public TextTable table() {
        TextTable table = new TextTable(
                "java",
                "threads",
                "pool",
                "slice ms",
                "variant",
                "cpu ns",
                "D ns",
                "D p25",
                "D p75",
                "D / I",
                "least",
                "most",
                "bytes",
                "over bare");
        for (OverheadGroup group : results) {
            double bareBytes = bareBytes(group);
            for (OverheadFigures one : group.variants()) {
                Spread inIdeals = inIdeals(one);
                double bytes = Spread.of(one.bytes()).median();
                table.row(
                        group.java(),
                        Integer.toString(group.threads()),
                        Integer.toString(group.pool()),
                        Integer.toString(group.sliceMs()),
                        one.variant(),
                        TextTable.number(Spread.of(one.cpuNs()).median(), 1),
                        TextTable.number(Spread.of(one.dNs()).median(), 1),
                        TextTable.number(Spread.of(one.dP25Ns()).median(), 1),
                        TextTable.number(Spread.of(one.dP75Ns()).median(), 1),
                        TextTable.number(inIdeals.median(), 2),
                        TextTable.number(inIdeals.least(), 2),
                        TextTable.number(inIdeals.most(), 2),
                        TextTable.number(bytes, 1),
                        TextTable.number(bytes - bareBytes, 1));
            }
        }
        return table;
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
    public TextTable pageTable() {
        Set<Load> loads = new LinkedHashSet<>();
        Map<String, List<OverheadGroup>> blocks = new LinkedHashMap<>();
        for (OverheadGroup group : results) {
            loads.add(group.load());
            blocks.computeIfAbsent(block(group), block -> new ArrayList<>()).add(group);
        }
        List<String> headings = new ArrayList<>();
        if (blocks.size() > 1) {
            headings.add("Java, slices");
        }
        headings.add("variant");
        loads.forEach(load -> headings.addAll(List.of(load + " D ns", "D / I")));
        headings.add("bytes over bare");
        TextTable table = new TextTable(headings.toArray(String[]::new));
        blocks.forEach((block, groups) -> {
            for (int at = 0; at < groups.get(0).variants().size(); at++) {
                List<String> cells = new ArrayList<>(blocks.size() > 1 ? List.of(block) : List.of());
                cells.addAll(cells(groups, at));
                table.row(cells.toArray(String[]::new));
            }
        });
        return table;
    }

    /** One variant under all loads, which have the same variants in the same order. */
    private static List<String> cells(List<OverheadGroup> groups, int variant) {
        OverheadGroup first = groups.get(0);
        List<String> cells =
                new ArrayList<>(List.of(first.variants().get(variant).variant()));
        for (OverheadGroup group : groups) {
            OverheadFigures one = group.variants().get(variant);
            cells.add(Spread.of(one.dNs()).textAndRange(1));
            Spread inIdeals = inIdeals(one);
            cells.add(inIdeals.known() ? inIdeals.textAndRange(2) : "-");
        }
        double bytes = Spread.of(first.variants().get(variant).bytes()).median();
        cells.add(TextTable.number(bytes - bareBytes(first), 0));
        return cells;
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
