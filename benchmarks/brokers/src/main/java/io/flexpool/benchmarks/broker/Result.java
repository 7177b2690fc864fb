// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.broker.Form.Column;
import io.flexpool.benchmarks.broker.Form.Lines;
import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.report.Graph;
import io.flexpool.benchmarks.report.ScenarioResult;
import io.flexpool.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What was measured, for readers. */
final class Result {
    private final Plan plan;
    private final Figures figures;
    private final List<Column> columns = new ArrayList<>();

    Result(Plan plan, Figures figures) {
        this.plan = plan;
        this.figures = figures;
        columns.add(new Column("store", (all, store, workload) -> store.toString()));
        columns.add(new Column(
                "JVMs",
                (all, store, workload) ->
                        Integer.toString(all.of(store, workload).size())));
        columns.addAll(plan.form().columns());
        columns.add(new Column(
                "lost",
                (all, store, workload) -> Long.toString(
                        all.of(store, workload).stream().mapToLong(Run::lost).sum())));
        columns.add(new Column(
                "doubled",
                (all, store, workload) -> Long.toString(
                        all.of(store, workload).stream().mapToLong(Run::doubled).sum())));
    }

    ScenarioResult result(String startedAt, double seconds) {
        return new ScenarioResult(
                plan.form().scenario(),
                plan.form().title(),
                startedAt,
                seconds,
                figures.runs().size() == plan.size(),
                plan.command(),
                plan.options(),
                Environment.here(),
                plan.form().claims(plan).stream()
                        .map(claim -> claim.judged(figures))
                        .toList(),
                plan.workloads().stream().map(this::table).toList(),
                plan.workloads().stream()
                        .flatMap(workload ->
                                plan.form().graphs(plan, workload).stream().map(lines -> graph(lines, workload.name())))
                        .filter(graph -> !graph.series().isEmpty())
                        .toList(),
                notes(),
                plan.form().figures(plan, figures.runs()));
    }

    private Table table(Workload workload) {
        List<List<String>> rows = plan.stores().stream()
                .filter(store -> !figures.of(store, workload.name()).isEmpty())
                .map(store -> columns.stream()
                        .map(column -> column.cell().of(figures, store, workload.name()))
                        .toList())
                .toList();
        return new Table(
                plan.form().heading(workload),
                columns.stream().map(Column::head).toList(),
                rows);
    }

    private Graph graph(Lines lines, String workload) {
        List<Graph.Series> series = plan.stores().stream()
                .flatMap(store -> figures.middle(store, workload).stream())
                .map(run -> new Graph.Series(run.store(), lines.points().of(run)))
                .filter(line -> !line.points().isEmpty())
                .toList();
        return new Graph(lines.title(), lines.x(), lines.y(), series);
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(plan.leftOut());
        figures.failures().forEach(failure -> notes.add(failure.said()));
        notes.add(
                "Each run has a JVM, a broker and, if it needs one, a PostgreSQL of its own; the order is random. fsync,"
                        + " full_page_writes and synchronous_commit are on, and the server was asked whether they are.");
        notes.add("What the files are on, and a synchronous write of 1 kB there: "
                + plan.stores().stream().flatMap(store -> disk(store).stream()).collect(Collectors.joining("; "))
                + ".");
        notes.addAll(plan.form().notes(plan));
        return notes;
    }

    /** Empty for a store that writes no files, or that has no runs. */
    private Optional<String> disk(Store store) {
        List<Disk> disks = figures.runs().stream()
                .filter(run -> run.store().equals(store.toString()))
                .map(Run::disk)
                .toList();
        String types = disks.stream().map(Disk::fileSystem).distinct().collect(Collectors.joining(", "));
        Spread sync = Spread.of(disks.stream().mapToDouble(Disk::syncMs));
        return Optional.of(store + " on " + types + ", " + sync.text(3) + " ms (" + sync.range(3) + ")")
                .filter(text -> store.backend() != Backend.HEAP && !disks.isEmpty());
    }
}
