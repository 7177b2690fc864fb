// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.directory.DirectoryPool.Published;
import io.flexpool.benchmarks.directory.DirectoryRow.Phase;
import io.flexpool.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The tables of all rows. */
final class DirectoryTables {
    /** The variants that may have as many connections as the wrapped pool, and that one. */
    private static final Set<Variant> PRICED = EnumSet.of(Variant.BARE_GROWING, Variant.BARE_CEILING, Variant.WRAPPED);

    private final DirectoryLoad load;
    private final List<DirectoryRow> rows;

    DirectoryTables(DirectoryLoad load, List<DirectoryRow> rows) {
        this.load = load;
        this.rows = rows;
    }

    List<Table> all() {
        return List.of(
                published(),
                phase("Steady: " + load.rate() + " requests/s", DirectoryRow::steady),
                phase("With bursts of " + load.burstSize(), DirectoryRow::inBursts),
                bursts(),
                price(),
                whereTimeGoes());
    }

    private Table published() {
        return new Table(
                "Published (one hour) beside measured (the whole run of the bare pool)",
                List.of(
                        "pool",
                        "published requests",
                        "measured",
                        "published average s",
                        "measured",
                        "published maximum s",
                        "measured",
                        "published failures",
                        "measured"),
                rows.stream()
                        .filter(row -> row.variant() == Variant.BARE)
                        .map(DirectoryTables::beside)
                        .toList());
    }

    private static List<String> beside(DirectoryRow row) {
        Published published = row.pool().published();
        Phase steady = row.steady();
        Phase inBursts = row.inBursts();
        int served = steady.requests() - steady.failures() + inBursts.requests() - inBursts.failures();
        double sumMs = sum(steady) + sum(inBursts);
        return List.of(
                row.pool().toString(),
                number((double) published.requests(), 0),
                number(steady.requests() + inBursts.requests(), 0),
                number(published.averageSeconds(), 8),
                number(sumMs / served / 1000, 4),
                number(published.maxSeconds(), 3),
                number(Math.max(steady.maxMs(), inBursts.maxMs()) / 1000, 3),
                number((double) published.failures(), 0),
                number(row.failures(), 0));
    }

    private static double sum(Phase phase) {
        int served = phase.requests() - phase.failures();
        return served == 0 ? 0 : phase.meanMs() * served;
    }

    private Table phase(String title, Function<DirectoryRow, Phase> which) {
        return new Table(
                title,
                List.of(
                        "pool",
                        "variant",
                        "requests",
                        "failures",
                        "served/s",
                        "average ms",
                        "median ms",
                        "p99 ms",
                        "maximum ms"),
                rows.stream().map(row -> phase(row, which.apply(row))).toList());
    }

    private static List<String> phase(DirectoryRow row, Phase phase) {
        return List.of(
                row.pool().toString(),
                row.variant().toString(),
                number(phase.requests(), 0),
                number(phase.failures(), 0),
                number(phase.perSecond(), 1),
                number(phase.meanMs(), 1),
                number(phase.p50Ms(), 1),
                number(phase.p99Ms(), 1),
                number(phase.maxMs(), 0));
    }

    private Table bursts() {
        return new Table(
                "Bursts and connections",
                List.of(
                        "pool",
                        "variant",
                        "failures per burst, median (least–most)",
                        "worst latency of a burst, median (least–most) ms",
                        "connections, mean",
                        "most at once",
                        "late start, p99 ms"),
                rows.stream().map(DirectoryTables::burst).toList());
    }

    private static List<String> burst(DirectoryRow row) {
        return List.of(
                row.pool().toString(),
                row.variant().toString(),
                number(row.medianFailures(), 0) + " (" + row.leastFailures() + "–" + row.mostFailures() + ")",
                number(row.medianWorstMs(), 0) + " (" + number(row.worstMs().getMin(), 0) + "–"
                        + number(row.worstMs().getMax(), 0) + ")",
                number(row.meanConnections(), 1),
                number(row.peakConnections(), 0),
                number(row.lateStartMs(), 1));
    }

    /** What fewer connections cost, beside the pool that has or opens all of them by itself. */
    private Table price() {
        return new Table(
                "The price: fewer connections beside longer waits",
                List.of(
                        "pool",
                        "variant",
                        "failures among bursts",
                        "worst latency of a burst, median ms",
                        "average ms",
                        "connections, mean"),
                rows.stream()
                        .filter(row -> PRICED.contains(row.variant()))
                        .map(DirectoryTables::price)
                        .toList());
    }

    private static List<String> price(DirectoryRow row) {
        return List.of(
                row.pool().toString(),
                row.variant().toString(),
                number(row.inBursts().failures(), 0) + " of "
                        + number(row.inBursts().requests(), 0),
                number(row.medianWorstMs(), 0),
                number(row.inBursts().meanMs(), 1),
                number(row.meanConnections(), 1));
    }

    private Table whereTimeGoes() {
        List<List<String>> cells = new ArrayList<>();
        for (DirectoryRow row : rows) {
            cells.add(shares(row, "steady", row.steady()));
            cells.add(shares(row, "bursts", row.inBursts()));
        }
        return new Table(
                "Where the time of a served request goes",
                List.of(
                        "pool",
                        "variant",
                        "phase",
                        "average ms",
                        "waiting for a connection %",
                        "in the database %",
                        "holding it idle (the log) %",
                        "giving it back %",
                        "HTTP and threads %"),
                cells);
    }

    private static List<String> shares(DirectoryRow row, String name, Phase phase) {
        return List.of(
                row.pool().toString(),
                row.variant().toString(),
                name,
                number(phase.meanMs(), 1),
                number(100 * phase.waitShare(), 1),
                number(100 * phase.databaseShare(), 1),
                number(100 * phase.idleShare(), 1),
                number(100 * phase.returnShare(), 1),
                number(100 * phase.elsewhereShare(), 1));
    }
}
