// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.report.Claim;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.Graph;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Messages from one or several publishers to one or several consumers, as a workload describes them. */
final class Fan implements Form {
    private static final int WARM_UP_SECONDS = 5;
    private static final int SMALL_WARM_UP_SECONDS = 1;

    /**
     * What comes before a workload is measured, so that it is not the compiler that is measured: the same for some
     * seconds, or for no longer than the workload itself where that is too small to be judged.
     */
    static Workload warmUp(Workload workload) {
        boolean small = workload.nummessages() > 0 && workload.nummessages() < FanClaims.JUDGED_FROM;
        return small
                ? workload.limited(workload.nummessages(), SMALL_WARM_UP_SECONDS)
                : workload.limited(null, WARM_UP_SECONDS);
    }

    @Override
    public String scenario() {
        return "persistence";
    }

    @Override
    public String title() {
        return "What durable delivery costs a broker";
    }

    @Override
    public boolean chained() {
        return false;
    }

    @Override
    public List<Claim<Figures>> claims(Plan plan) {
        return FanClaims.of(plan);
    }

    @Override
    public String heading(Workload workload) {
        return workload.name() + ": "
                + many(workload.numdests(), workload.topic() ? "topic" : "queue") + " with one publisher each, "
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

    @Override
    public Columns<Row> columns(Columns<Row> first) {
        Columns<Row> columns = Row.medianAndRange(first, "messages/s", 1, row -> row.spread(Run::rate));
        for (Store from : List.of(PersistenceStore.KAHADB_DISK, PersistenceStore.JDBC_UNPOOLED)) {
            columns = Row.medianAndRange(
                    columns,
                    "gap closed from " + from + " %",
                    1,
                    row -> row.figures().closed(row.store(), from, row.workload()));
        }
        return columns.and("connections/message", Row.median(2, Run::connectionsPerMessage))
                .and("p50 ms", Row.median(2, run -> run.latency().p50()))
                .and("p90 ms", Row.median(2, run -> run.latency().p90()))
                .and("p99 ms", Row.median(2, run -> run.latency().p99()))
                .and("p99.9 ms", Row.median(2, run -> run.latency().p999()))
                .and("max ms", Row.median(2, run -> run.latency().max()));
    }

    @Override
    public List<Lines> graphs(Plan plan, Workload workload) {
        return List.of(
                new Lines(
                        "Rate, " + workload.name(),
                        new Graph.Axis("time", "s", false),
                        new Graph.Axis("arrivals", "messages/s", false),
                        Fan::rates),
                new Lines(
                        "Latency, " + workload.name(),
                        new Graph.Axis("percentile", "%", false),
                        new Graph.Axis("latency", "ms", true),
                        Fan::percentiles));
    }

    private static List<Graph.Point> rates(Run run) {
        List<Graph.Point> points = new ArrayList<>();
        for (double rate : run.rates()) {
            points.add(new Graph.Point((points.size() + 1.0) * run.intervalSeconds(), rate));
        }
        return points;
    }

    private static List<Graph.Point> percentiles(Run run) {
        Arrivals.Latency latency = run.latency();
        return List.of(
                new Graph.Point(50, latency.p50()),
                new Graph.Point(90, latency.p90()),
                new Graph.Point(99, latency.p99()),
                new Graph.Point(99.9, latency.p999()),
                new Graph.Point(100, latency.max()));
    }

    @Override
    public List<String> notes(Plan plan) {
        return List.of(
                plan.together()
                        ? "With --quick one JVM runs all workloads of a store."
                        : "Each workload has its own JVM.",
                "Before a workload is measured it runs for " + WARM_UP_SECONDS + " s, or for " + SMALL_WARM_UP_SECONDS
                        + " s where it has fewer than " + FanClaims.JUDGED_FROM + " messages for each publisher.",
                "Rates count arrivals: a message to five subscribers arrives five times. Publishers send as fast as they"
                        + " can, with at most " + plan.inFlight() + " messages on their way to each subscriber: latency"
                        + " is that of a broker at its limit, from before a message is sent, when there was room for it,"
                        + " until it is received.",
                "non-persistent sends the same load as non-persistent messages, to subscribers that are not durable."
                        + " The gap is between it and the store named; 100 % is as fast as not storing, below 0 is"
                        + " slower than the store named.",
                "Pooled is HikariCP with 20 to 100 connections; wrapped is the same in flexpool.");
    }

    @Override
    public Object figures(Plan plan, List<Run> runs) {
        return Map.of("workloads", plan.workloads(), "runs", runs);
    }
}
