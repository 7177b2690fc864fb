// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.openclose;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.Pool;
import io.flexpool.benchmarks.kit.TextTable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * All that one run of the scenario says; its components are the JSON file's fields.
 *
 * @param scenario {@code open-close}
 * @param environment where it was measured
 * @param published the article's figures
 * @param results one per database, round and variant
 * @param ratios unpooled over HikariCP, one per database and round
 */
public record OpenCloseReport(
        String scenario,
        Environment environment,
        Published published,
        List<OpenCloseResult> results,
        List<OpenCloseRatio> ratios) {

    static OpenCloseReport of(List<OpenCloseResult> results) {
        List<OpenCloseRatio> ratios = new ArrayList<>();
        for (OpenCloseResult pooled : results) {
            if (pooled.variant().equals(Pool.HIKARICP.toString())) {
                results.stream()
                        .filter(other -> other.variant().equals(OpenCloseBenchmark.UNPOOLED))
                        .filter(other -> other.db().equals(pooled.db()) && other.round() == pooled.round())
                        .forEach(unpooled -> ratios.add(OpenCloseRatio.of(unpooled, pooled)));
            }
        }
        return new OpenCloseReport("open-close", Environment.here(), Published.ARTICLE, results, ratios);
    }

    void print(PrintWriter out) {
        out.println();
        out.println(environment.summary());
        out.println();
        printResults(out);
        out.println();
        printRatios(out);
        out.println();
        results.stream().map(OpenCloseResult::db).distinct().forEach(db -> printWarm(out, db));
        out.flush();
    }

    private void printResults(PrintWriter out) {
        TextTable table =
                new TextTable("db", "variant", "round", "min ms", "max ms", "mean ms", "stddev ms", "median ms");
        for (OpenCloseResult result : results) {
            table.row(
                    result.db(),
                    result.variant(),
                    Integer.toString(result.round()),
                    TextTable.number(result.minMs(), 6),
                    TextTable.number(result.maxMs(), 6),
                    TextTable.number(result.meanMs(), 6),
                    TextTable.number(result.stddevMs(), 6),
                    TextTable.number(result.medianMs(), 6));
        }
        table.print(out);
    }

    private void printRatios(PrintWriter out) {
        out.println("unpooled / hikaricp (round 0 is cold: code not yet compiled, pool not yet started)");
        TextTable table = new TextTable("db", "round", "of means", "of medians");
        table.row("published", "", times(published.ofMeans()), times(publishedOfMedians()));
        for (OpenCloseRatio ratio : ratios) {
            table.row(ratio.db(), Integer.toString(ratio.round()), times(ratio.ofMeans()), times(ratio.ofMedians()));
        }
        table.print(out);
    }

    private double publishedOfMedians() {
        return published.unpooled().medianMs() / published.hikaricp().medianMs();
    }

    private static String times(double ratio) {
        return "x" + TextTable.number(ratio, ratio < 100 ? 1 : 0);
    }

    private void printWarm(PrintWriter out, String db) {
        for (Pool pool : Pool.values()) {
            double bare = warmMedian(db, pool.toString());
            double wrapped = warmMedian(db, pool + OpenCloseBenchmark.WITH_FLEXPOOL);
            if (!Double.isNaN(bare) && !Double.isNaN(wrapped)) {
                out.println(
                        db + ": warm median of " + pool + " " + TextTable.number(bare * 1000, 3) + " us, with flexpool "
                                + TextTable.number(wrapped * 1000, 3) + " us: " + times(wrapped / bare));
            }
        }
    }

    /** The median of the medians of all rounds but the first; NaN where there are none. */
    private double warmMedian(String db, String variant) {
        double[] medians = results.stream()
                .filter(result -> result.db().equals(db) && result.variant().equals(variant) && result.round() > 0)
                .mapToDouble(OpenCloseResult::medianMs)
                .toArray();
        Arrays.sort(medians);
        return medians.length == 0 ? Double.NaN : (medians[medians.length / 2] + medians[(medians.length - 1) / 2]) / 2;
    }
}
