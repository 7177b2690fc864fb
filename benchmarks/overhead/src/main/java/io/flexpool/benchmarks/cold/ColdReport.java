// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.cold;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.Report;
import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that one run says; its components are the JSON file's fields.
 *
 * @param scenario {@code cold}
 * @param environment where it was measured
 * @param calls calls of each JVM
 * @param jvms JVMs of each variant
 * @param results one per variant
 */
public record ColdReport(String scenario, Environment environment, int calls, int jvms, List<ColdRow> results)
        implements Report {
    /** flexpool's median call over HikariCP's, at most. */
    private static final double MOST_IN_BARE = 2.5;
    /** The median call of FlexyPool with its Dropwizard metrics over flexpool's, at least. */
    private static final double LEAST_BELOW_FLEXYPOOL = 2;

    static ColdReport of(int calls, int jvms, List<ColdRow> rows) {
        return new ColdReport("cold", Environment.here(), calls, jvms, List.copyOf(rows));
    }

    @Override
    public List<String> notes() {
        return List.of(
                environment.summary(),
                "the first " + calls + " getConnection() + close() of a fresh JVM, on a stub driver; " + jvms
                        + " JVMs of each variant",
                "median = a JVM's median call, of that the median JVM and the quartiles over the JVMs; / bare = over"
                        + " bare's JVM of the same round");
    }

    @Override
    public TextTable table() {
        TextTable table = new TextTable("variant", "median ns", "p25", "p75", "p99 ns", "all ms", "/ bare");
        for (ColdRow row : results) {
            table.row(
                    row.variant(),
                    TextTable.number(row.medianNs(), 0),
                    TextTable.number(row.medianP25Ns(), 0),
                    TextTable.number(row.medianP75Ns(), 0),
                    TextTable.number(row.p99Ns(), 0),
                    TextTable.number(row.sumMs(), 0),
                    TextTable.number(row.inBare(), 2));
        }
        return table;
    }

    @Override
    public Map<String, List<String>> goals() {
        List<String> verdicts = verdicts();
        return verdicts.isEmpty() ? Map.of() : Map.of("goals", verdicts);
    }

    /** One line for each goal and each variant it is about. */
    List<String> verdicts() {
        Map<String, ColdRow> rows = new TreeMap<>();
        results.forEach(row -> rows.put(row.variant(), row));
        return results.stream()
                .filter(row -> row.variant().startsWith("flexpool-"))
                .map(row -> verdict(row, rows.get(Variant.FLEXYPOOL_DROPWIZARD.toString())))
                .toList();
    }

    private static String verdict(ColdRow row, @Nullable ColdRow flexyPool) {
        String ofBare = row.variant() + ": at most " + TextTable.number(MOST_IN_BARE, 1) + " times bare: "
                + word(row.inBare() <= MOST_IN_BARE) + " (" + TextTable.number(row.inBare(), 2) + ")";
        if (flexyPool == null) {
            return ofBare;
        }
        double below = flexyPool.medianNs() / row.medianNs();
        return ofBare + "; at least " + TextTable.number(LEAST_BELOW_FLEXYPOOL, 0)
                + " times below FlexyPool with Dropwizard: " + word(below >= LEAST_BELOW_FLEXYPOOL) + " ("
                + TextTable.number(below, 2) + ")";
    }

    private static String word(boolean met) {
        return met ? "met" : "missed";
    }
}
