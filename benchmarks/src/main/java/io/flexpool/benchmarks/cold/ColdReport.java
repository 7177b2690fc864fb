// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.cold;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.Report;
import io.flexpool.benchmarks.report.Table;
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
    public List<Table> tables() {
        return List.of(Columns.<ColdRow>of("variant", ColdRow::variant)
                .number("median ns", 0, ColdRow::medianNs)
                .number("p25", 0, ColdRow::medianP25Ns)
                .number("p75", 0, ColdRow::medianP75Ns)
                .number("p99 ns", 0, ColdRow::p99Ns)
                .number("all ms", 0, ColdRow::sumMs)
                .number("/ bare", 2, ColdRow::inBare)
                .table("", results));
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
        String ofBare = Report.judged(
                row.variant() + ": at most " + number(MOST_IN_BARE, 1) + " times bare",
                row.inBare() <= MOST_IN_BARE,
                number(row.inBare(), 2));
        if (flexyPool == null) {
            return ofBare;
        }
        double below = flexyPool.medianNs() / row.medianNs();
        return ofBare + "; "
                + Report.judged(
                        "at least " + number(LEAST_BELOW_FLEXYPOOL, 0) + " times below FlexyPool with Dropwizard",
                        below >= LEAST_BELOW_FLEXYPOOL,
                        number(below, 2));
    }
}
