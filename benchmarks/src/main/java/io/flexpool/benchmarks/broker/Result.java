// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.broker.Form.Lines;
import io.flexpool.benchmarks.broker.Form.Row;
import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.Graph;
import io.flexpool.benchmarks.report.ScenarioResult;
import io.flexpool.benchmarks.report.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What was measured, for readers.
 *
 * @param plan what was to be measured
 * @param figures what was
 */
record Result(Plan plan, Figures figures) {
    ScenarioResult result(Instant started) {
        return ScenarioResult.of(
                new ScenarioResult.Run(
                        plan.form().scenario(),
                        plan.form().title(),
                        started,
                        figures.runs().size() == plan.size(),
                        plan.command(),
                        plan.options()),
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
        Columns<Row> first = Columns.of("store", Row::store)
                .and("JVMs", row -> figures.of(row.store(), row.workload()).size());
        return plan.form()
                .columns(first)
                .and("lost", row -> row.sum(Run::lost))
                .and("doubled", row -> row.sum(Run::doubled))
                .table(
                        plan.form().heading(workload),
                        plan.stores().stream()
                                .filter(store ->
                                        !figures.of(store, workload.name()).isEmpty())
                                .map(store -> new Row(figures, store, workload.name()))
                                .toList());
    }

    private Graph graph(Lines lines, String workload) {
        List<Graph.Series> series = plan.stores().stream()
                .flatMap(store -> figures.middle(store, workload).stream())
                .map(run -> new Graph.Series(run.store(), lines.points().apply(run)))
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
