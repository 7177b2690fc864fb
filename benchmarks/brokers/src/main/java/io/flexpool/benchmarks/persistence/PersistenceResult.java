// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.messaging.Disk;
import io.flexpool.benchmarks.messaging.Failure;
import io.flexpool.benchmarks.report.Graph;
import io.flexpool.benchmarks.report.ScenarioResult;
import io.flexpool.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What was measured, for readers. */
final class PersistenceResult {
    private static final List<String> COLUMNS = List.of(
            "store",
            "JVMs",
            "messages/s",
            "of the rounds",
            "gap closed from kahadb-disk %",
            "of the rounds",
            "gap closed from jdbc-unpooled %",
            "of the rounds",
            "connections/message",
            "p50 ms",
            "p90 ms",
            "p99 ms",
            "p99.9 ms",
            "max ms",
            "lost",
            "doubled");

    private final PersistencePlan plan;
    private final List<FanRun> runs;
    private final List<Failure> failures;
    private final PersistenceFigures figures;

    PersistenceResult(PersistencePlan plan, List<FanRun> runs, List<Failure> failures) {
        this.plan = plan;
        this.runs = runs;
        this.failures = failures;
        this.figures = new PersistenceFigures(runs);
    }

    ScenarioResult result(String startedAt, double seconds, boolean complete) {
        List<Graph> graphs = new ArrayList<>();
        plan.workloads().forEach(workload -> addRates(graphs, workload));
        graphs.removeIf(graph -> graph.series().isEmpty());
        return new ScenarioResult(
                "persistence",
                "What durable delivery costs a broker",
                startedAt,
                seconds,
                complete,
                plan.command(),
                plan.options(),
                Environment.here(),
                new PersistenceFindings(plan, runs, failures).all(),
                plan.workloads().stream().map(this::table).toList(),
                graphs,
                notes(),
                Map.of("workloads", plan.workloads(), "runs", runs));
    }

    private Table table(Workload workload) {
        List<List<String>> rows = plan.stores().stream()
                .filter(store -> !figures.of(store, workload.name()).isEmpty())
                .map(store -> row(store, workload.name()))
                .toList();
        return new Table(workload.name() + ": " + inWords(workload), COLUMNS, rows);
    }

    private static String inWords(Workload workload) {
        return many(workload.numdests(), workload.topic() ? "topic" : "queue") + " with one publisher each, "
                + many(workload.consumers(), workload.durable() ? "durable receiver" : "receiver") + ", "
                + (workload.istransacted()
                        ? many(workload.msgpertxn(), "message") + " per transaction"
                        : "no transactions")
                + ", " + many(workload.msgsize(), "byte")
                + "; median over the JVMs; ms from sending, once there was room, to receipt";
    }

    private static String many(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private List<String> row(PersistenceStore store, String workload) {
        Spread rate = figures.spread(store, workload, FanRun::rate);
        Spread fromDisk = figures.closed(store, PersistenceStore.KAHADB_DISK, workload);
        Spread fromUnpooled = figures.closed(store, PersistenceStore.JDBC_UNPOOLED, workload);
        List<FanRun> all = figures.of(store, workload);
        return List.of(
                store.toString(),
                Integer.toString(all.size()),
                rate.text(1),
                rate.range(1),
                fromDisk.text(1),
                fromDisk.range(1),
                fromUnpooled.text(1),
                fromUnpooled.range(1),
                figures.spread(store, workload, FanRun::connectionsPerMessage).text(2),
                figures.spread(store, workload, run -> run.latency().p50()).text(2),
                figures.spread(store, workload, run -> run.latency().p90()).text(2),
                figures.spread(store, workload, run -> run.latency().p99()).text(2),
                figures.spread(store, workload, run -> run.latency().p999()).text(2),
                figures.spread(store, workload, run -> run.latency().max()).text(2),
                Long.toString(all.stream().mapToLong(FanRun::lost).sum()),
                Long.toString(all.stream().mapToLong(FanRun::doubled).sum()));
    }

    private void addRates(List<Graph> graphs, Workload workload) {
        graphs.add(new Graph(
                "Rate, " + workload.name(),
                new Graph.Axis("time", "s", false),
                new Graph.Axis("arrivals", "messages/s", false),
                plan.stores().stream()
                        .flatMap(store -> figures.middle(store, workload.name()).stream())
                        .filter(run -> !run.rates().isEmpty())
                        .map(PersistenceResult::series)
                        .toList()));
        graphs.add(new Graph(
                "Latency, " + workload.name(),
                new Graph.Axis("percentile", "%", false),
                new Graph.Axis("latency", "ms", true),
                plan.stores().stream()
                        .flatMap(store -> figures.middle(store, workload.name()).stream())
                        .map(PersistenceResult::percentiles)
                        .toList()));
    }

    private static Graph.Series series(FanRun run) {
        List<Graph.Point> points = new ArrayList<>();
        for (double rate : run.rates()) {
            points.add(new Graph.Point((points.size() + 1.0) * run.intervalSeconds(), rate));
        }
        return new Graph.Series(run.store(), points);
    }

    private static Graph.Series percentiles(FanRun run) {
        Arrivals.Latency latency = run.latency();
        return new Graph.Series(
                run.store(),
                List.of(
                        new Graph.Point(50, latency.p50()),
                        new Graph.Point(90, latency.p90()),
                        new Graph.Point(99, latency.p99()),
                        new Graph.Point(99.9, latency.p999()),
                        new Graph.Point(100, latency.max())));
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(plan.leftOut());
        failures.forEach(failure -> notes.add(failure.said()));
        notes.addAll(List.of(
                "Each run has a JVM, a broker and, if it needs one, a PostgreSQL with fsync, full_page_writes and"
                        + " synchronous_commit of its own; the order is random."
                        + (plan.together() ? " With --quick one JVM runs all workloads of a store." : ""),
                "What the files are on, and a synchronous write of 1 kB there: " + disks() + ".",
                "Before a workload is measured it runs for " + FanJvm.WARM_UP_SECONDS
                        + " s, or for 1 s where it has fewer than " + PersistenceFindings.JUDGED_FROM
                        + " messages for each publisher.",
                "Rates count arrivals: a message to five subscribers arrives five times. Publishers send as fast as they"
                        + " can, with at most " + plan.inFlight() + " messages on their way to each subscriber: latency"
                        + " is that of a broker at its limit, from before a message is sent, when there was room for it,"
                        + " until it is received.",
                "non-persistent sends the same load as non-persistent messages, to subscribers that are not durable."
                        + " The gap is between it and the store named; 100 % is as fast as not storing, below 0 is"
                        + " slower than the store named.",
                "Pooled is HikariCP with 20 to 100 connections; wrapped is the same in flexpool."));
        return notes;
    }

    private String disks() {
        return plan.stores().stream()
                .filter(store -> store != PersistenceStore.NON_PERSISTENT)
                .flatMap(store -> disk(store).stream())
                .collect(Collectors.joining("; "));
    }

    private Optional<String> disk(PersistenceStore store) {
        List<Disk> disks = runs.stream()
                .filter(run -> run.store().equals(store.toString()))
                .map(FanRun::disk)
                .toList();
        String types = disks.stream().map(Disk::fileSystem).distinct().collect(Collectors.joining(", "));
        Spread sync = Spread.of(disks.stream().map(Disk::syncMs).toList());
        return disks.isEmpty()
                ? Optional.empty()
                : Optional.of(store + " on " + types + ", " + sync.text(3) + " ms (" + sync.range(3) + ")");
    }
}
