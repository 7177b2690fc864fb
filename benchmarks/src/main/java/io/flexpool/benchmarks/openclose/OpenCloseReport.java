// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.openclose;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.Pool;
import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.Report;
import io.flexpool.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
        List<OpenCloseRatio> ratios)
        implements Report {

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

    @Override
    public List<String> notes() {
        return List.of(environment.summary());
    }

    @Override
    public List<Table> tables() {
        return List.of(
                Columns.<OpenCloseResult>of("db", OpenCloseResult::db)
                        .and("variant", OpenCloseResult::variant)
                        .and("round", OpenCloseResult::round)
                        .number("min ms", 6, OpenCloseResult::minMs)
                        .number("max ms", 6, OpenCloseResult::maxMs)
                        .number("mean ms", 6, OpenCloseResult::meanMs)
                        .number("stddev ms", 6, OpenCloseResult::stddevMs)
                        .number("median ms", 6, OpenCloseResult::medianMs)
                        .table("", results),
                Columns.<OpenCloseRatio>of("db", OpenCloseRatio::db)
                        .and("round", ratio -> ratio.round() < 0 ? "" : ratio.round())
                        .and("of means", ratio -> times(ratio.ofMeans()))
                        .and("of medians", ratio -> times(ratio.ofMedians()))
                        .table(
                                "unpooled / hikaricp (round 0 is cold: code not yet compiled, pool not yet started)",
                                Stream.concat(Stream.of(ofArticle()), ratios.stream())
                                        .toList()));
    }

    /** Its round has no number. */
    private OpenCloseRatio ofArticle() {
        double ofMedians =
                published.unpooled().medianMs() / published.hikaricp().medianMs();
        return new OpenCloseRatio("published", -1, published.ofMeans(), ofMedians);
    }

    private static String times(double ratio) {
        return "x" + number(ratio, ratio < 100 ? 1 : 0);
    }

    @Override
    public Map<String, List<String>> goals() {
        List<String> warm = ofEach(this::warm);
        return warm.isEmpty()
                ? Map.of()
                : new TreeMap<>(Map.of("all rounds but the first", warm, "each round", ofEach(this::rounds)));
    }

    private List<String> ofEach(BiFunction<String, Pool, Optional<String>> line) {
        return results.stream()
                .map(OpenCloseResult::db)
                .distinct()
                .flatMap(db -> Stream.of(Pool.values()).flatMap(pool -> line.apply(db, pool).stream()))
                .toList();
    }

    private Optional<String> warm(String db, Pool pool) {
        double bare = warmMedian(db, pool.toString());
        double wrapped = warmMedian(db, pool + OpenCloseBenchmark.WITH_FLEXPOOL);
        return Double.isNaN(bare + wrapped)
                ? Optional.empty()
                : Optional.of(db + ": warm median of " + pool + " " + number(bare * 1000, 3) + " us, with flexpool "
                        + number(wrapped * 1000, 3) + " us: " + times(wrapped / bare));
    }

    /** In a young JVM each round runs code that is compiled further. */
    private Optional<String> rounds(String db, Pool pool) {
        String rounds = results.stream()
                .filter(result -> result.db().equals(db) && result.variant().equals(pool.toString()))
                .map(bare -> times(medianMs(bare, pool + OpenCloseBenchmark.WITH_FLEXPOOL) / bare.medianMs())
                        + " (FlexyPool "
                        + times(medianMs(bare, pool + OpenCloseBenchmark.WITH_FLEXYPOOL) / bare.medianMs()) + ")")
                .collect(Collectors.joining(", "));
        return rounds.isEmpty()
                ? Optional.empty()
                : Optional.of(db + ": median with flexpool over that of " + pool + ", round by round: " + rounds);
    }

    private double medianMs(OpenCloseResult bare, String variant) {
        return results.stream()
                .filter(result -> result.db().equals(bare.db())
                        && result.round() == bare.round()
                        && result.variant().equals(variant))
                .mapToDouble(OpenCloseResult::medianMs)
                .findFirst()
                .orElse(Double.NaN);
    }

    /** The median of the medians of all rounds but the first; NaN where there are none. */
    private double warmMedian(String db, String variant) {
        return Spread.of(results.stream()
                        .filter(result ->
                                result.db().equals(db) && result.variant().equals(variant) && result.round() > 0)
                        .mapToDouble(OpenCloseResult::medianMs))
                .median();
    }
}
