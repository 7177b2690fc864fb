// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.report.Claim;
import io.flexpool.benchmarks.report.Columns;
import io.flexpool.benchmarks.report.Graph;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Numbered messages from a sender through a queue to a forwarder, through another queue to a receiver. Each of the three
 * has a connection and a thread of its own, and each message is acknowledged by itself, after it was handled.
 */
final class Chain implements Form {
    /** The smaller of the two payloads that were published; bytes. */
    static final int SMALL = 1024;
    /** The larger one. */
    static final int LARGE = 10 * 1024;
    /** The workloads of the scenario. */
    static final List<String> PUBLISHED = List.of(name(SMALL), name(LARGE));

    private static final int BATCH = 1_000;
    private static final int LEAST_BATCHES = 10;
    private static final int WARM_UP = 1_000;
    private static final int LEAST_WARM_UP = 20;
    /** Batches of one point of the moving average. */
    private static final int AVERAGED = 10;

    /** The workload's name, as a payload is written on the command line. */
    static String name(int payload) {
        return PayloadConverter.text(payload);
    }

    /** Messages of a payload in bytes. */
    static Workload workload(int payload, int messages) {
        return new Workload(
                name(payload),
                1,
                1,
                false,
                "queue",
                1,
                false,
                1,
                true,
                Workload.MessageType.TEXT,
                payload,
                false,
                Workload.AckMode.CLIENT,
                0,
                1,
                true,
                messages);
    }

    /** Messages of one timed batch: a thousand, as published, or fewer where there are few. */
    static int batch(int messages) {
        return messages >= 2 * BATCH ? BATCH : messages / LEAST_BATCHES;
    }

    /** What comes before a chain is measured: the first messages load classes and open pools. */
    static Workload warmUp(Workload chain) {
        int messages = chain.nummessages();
        return workload(
                chain.msgsize(), messages >= WARM_UP ? WARM_UP : Math.max(LEAST_WARM_UP, messages / LEAST_BATCHES));
    }

    @Override
    public String scenario() {
        return "broker";
    }

    @Override
    public String title() {
        return "A broker that keeps its messages in PostgreSQL, with and without a pool";
    }

    @Override
    public boolean chained() {
        return true;
    }

    @Override
    public List<Claim<Figures>> claims(Plan plan) {
        return ChainClaims.of(plan);
    }

    @Override
    public String heading(Workload workload) {
        return workload.nummessages() + " messages of " + workload.name()
                + " bytes through two queues; median over the JVMs";
    }

    @Override
    public Columns<Row> columns(Columns<Row> first) {
        return Row.medianAndRange(
                        first.and("published messages/s", row -> published(row.store(), row.workload())),
                        "messages/s",
                        1,
                        row -> row.spread(Run::rate))
                .and(
                        "of unpooled",
                        row -> row.figures()
                                .ratio(row.store(), BrokerStore.POSTGRES_UNPOOLED, row.workload())
                                .text(2))
                .and("connections/message", Row.median(3, Run::connectionsPerMessage))
                .and("one takes ms", Row.median(3, Run::connectionMs))
                .and("p99 ms", Row.median(3, Run::connectionP99Ms))
                .and("out at once", Row.median(0, Run::mostOut))
                .and("connects", Row.median(0, Run::connected));
    }

    private static String published(Store store, String workload) {
        double published = PUBLISHED.contains(workload) && store instanceof BrokerStore its
                ? its.published(workload.equals(name(SMALL)) ? SMALL : LARGE)
                : Double.NaN;
        return Double.isNaN(published) ? "" : TextTable.number(published, 2);
    }

    @Override
    public List<Lines> graphs(Plan plan, Workload workload) {
        int batch = batch(workload.nummessages());
        return List.of(
                lines("Rate per " + batch + " messages", workload, run -> averagePoints(run, 1)),
                lines(
                        "Moving average of " + AVERAGED + " times " + batch + " messages",
                        workload,
                        Chain::averagePoints));
    }

    private static Lines lines(String what, Workload workload, Function<Run, List<Graph.Point>> points) {
        return new Lines(
                what + ", payload " + workload.name(),
                new Graph.Axis("messages that have arrived", "", false),
                new Graph.Axis("rate", "messages/s", false),
                points);
    }

    static List<Graph.Point> averagePoints(Run run) {
        return averagePoints(run, AVERAGED);
    }

    /** Of so many batches each; the first ones are of as many as there are. */
    private static List<Graph.Point> averagePoints(Run run, int averaged) {
        List<Graph.Point> points = new ArrayList<>();
        List<Double> batches = run.batchSeconds();
        for (int at = 0; at < batches.size(); at++) {
            List<Double> last = batches.subList(Math.max(0, at + 1 - averaged), at + 1);
            double took = last.stream().mapToDouble(Double::doubleValue).sum();
            points.add(new Graph.Point((at + 1.0) * run.batch(), last.size() * run.batch() / took));
        }
        return points;
    }

    @Override
    public List<String> notes(Plan plan) {
        return List.of(
                "Sender, forwarder and receiver have a connection and a thread each, within the broker's JVM; no"
                        + " network. Each message is acknowledged by itself. At most " + plan.inFlight()
                        + " messages are on their way, so that the broker need not read from its store.",
                warmUp(plan.workloads().get(0)).nummessages() + " messages come before those that are measured.",
                "\"one takes\" is how long the broker waited for a connection, on average; \"connects\" what the pool"
                        + " connected meanwhile, which cannot be counted in PostgreSQL's own pool; \"out at once\" is a lower"
                        + " bound of the connections active at once.",
                "KahaDB writes synchronously, but it need not write a message that is acknowledged before its turn"
                        + " has come (the broker's default).",
                "Published: other hardware, another broker version, Camel between the queues. Only the ratios"
                        + " compare.");
    }

    @Override
    public Object figures(Plan plan, List<Run> runs) {
        return runs;
    }
}
