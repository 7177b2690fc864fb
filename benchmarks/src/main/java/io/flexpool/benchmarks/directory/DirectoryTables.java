// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.directory.DirectoryPool.Published;
import io.flexpool.benchmarks.directory.DirectoryRow.Phase;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.Table;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

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

    private static Columns<DirectoryRow> names() {
        return Columns.<DirectoryRow>of("pool", row -> row.pool().toString())
                .and("variant", row -> row.variant().toString());
    }

    private Table published() {
        return Columns.<DirectoryRow>of("pool", row -> row.pool().toString())
                .and("published requests", row -> number((double) published(row).requests(), 0))
                .and(
                        "measured",
                        row -> number(row.steady().requests() + row.inBursts().requests(), 0))
                .and("published average s", row -> number(published(row).averageSeconds(), 8))
                .and("measured", row -> number(averageMs(row) / 1000, 4))
                .and("published maximum s", row -> number(published(row).maxSeconds(), 3))
                .and(
                        "measured",
                        row -> number(
                                Math.max(row.steady().maxMs(), row.inBursts().maxMs()) / 1000, 3))
                .and("published failures", row -> number((double) published(row).failures(), 0))
                .and("measured", row -> number(row.failures(), 0))
                .table(
                        "Published (one hour) beside measured (the whole run of the bare pool)",
                        of(EnumSet.of(Variant.BARE)));
    }

    private static Published published(DirectoryRow row) {
        return row.pool().published();
    }

    private static double averageMs(DirectoryRow row) {
        return (sumMs(row.steady()) + sumMs(row.inBursts())) / (served(row.steady()) + served(row.inBursts()));
    }

    private static double sumMs(Phase phase) {
        return served(phase) == 0 ? 0 : phase.meanMs() * served(phase);
    }

    private static int served(Phase phase) {
        return phase.requests() - phase.failures();
    }

    private List<DirectoryRow> of(Set<Variant> variants) {
        return rows.stream().filter(row -> variants.contains(row.variant())).toList();
    }

    private Table phase(String title, Function<DirectoryRow, Phase> which) {
        return names().and("requests", row -> number(which.apply(row).requests(), 0))
                .and("failures", row -> number(which.apply(row).failures(), 0))
                .and("served/s", row -> number(which.apply(row).perSecond(), 1))
                .and("average ms", row -> number(which.apply(row).meanMs(), 1))
                .and("median ms", row -> number(which.apply(row).p50Ms(), 1))
                .and("p99 ms", row -> number(which.apply(row).p99Ms(), 1))
                .and("maximum ms", row -> number(which.apply(row).maxMs(), 0))
                .table(title, rows);
    }

    private Table bursts() {
        return names().and(
                        "failures per burst, median (least–most)",
                        row -> row.lost().textAndRange(0))
                .and(
                        "worst latency of a burst, median (least–most) ms",
                        row -> row.worstMs().textAndRange(0))
                .and("connections, mean", row -> number(row.meanConnections(), 1))
                .and("most at once", row -> number(row.peakConnections(), 0))
                .and("late start, p99 ms", row -> number(row.lateStartMs(), 1))
                .table("Bursts and connections", rows);
    }

    /** What fewer connections cost, beside the pool that has or opens all of them by itself. */
    private Table price() {
        return names().and(
                        "failures among bursts",
                        row -> number(row.inBursts().failures(), 0) + " of "
                                + number(row.inBursts().requests(), 0))
                .and("worst latency of a burst, median ms", row -> row.worstMs().text(0))
                .and("average ms", row -> number(row.inBursts().meanMs(), 1))
                .and("connections, mean", row -> number(row.meanConnections(), 1))
                .table("The price: fewer connections beside longer waits", of(PRICED));
    }

    /** A phase of a row, by name. */
    private record Part(DirectoryRow row, String name, Phase phase) {}

    private Table whereTimeGoes() {
        List<Part> parts = rows.stream()
                .flatMap(row ->
                        Stream.of(new Part(row, "steady", row.steady()), new Part(row, "bursts", row.inBursts())))
                .toList();
        return Columns.<Part>of("pool", part -> part.row().pool().toString())
                .and("variant", part -> part.row().variant().toString())
                .and("phase", Part::name)
                .and("average ms", part -> number(part.phase().meanMs(), 1))
                .and(
                        "waiting for a connection %",
                        part -> number(100 * part.phase().waitShare(), 1))
                .and("in the database %", part -> number(100 * part.phase().databaseShare(), 1))
                .and(
                        "holding it idle (the log) %",
                        part -> number(100 * part.phase().idleShare(), 1))
                .and("giving it back %", part -> number(100 * part.phase().returnShare(), 1))
                .and("HTTP and threads %", part -> number(100 * part.phase().elsewhereShare(), 1))
                .table("Where the time of a served request goes", parts);
    }
}
