// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.messaging.Failure;
import io.flexpool.benchmarks.messaging.MeteredDataSource;
import io.flexpool.benchmarks.report.Graph;
import io.flexpool.benchmarks.report.ScenarioResult;
import io.flexpool.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What was measured, for readers. */
final class BrokerResult {
    private static final List<String> COLUMNS = List.of(
            "store",
            "JVMs",
            "published messages/s",
            "messages/s",
            "of the rounds",
            "of unpooled",
            "connections/message",
            "one takes ms",
            "p99 ms",
            "out at once",
            "connects",
            "lost",
            "doubled");

    /** Batches of one point of the moving average. */
    private static final int AVERAGED = 10;

    private final BrokerPlan plan;
    private final List<ChainRun> runs;
    private final List<Failure> failures;
    private final BrokerFigures figures;

    BrokerResult(BrokerPlan plan, List<ChainRun> runs, List<Failure> failures) {
        this.plan = plan;
        this.runs = runs;
        this.failures = failures;
        this.figures = new BrokerFigures(runs);
    }

    ScenarioResult result(String startedAt, double seconds, boolean complete) {
        List<Table> tables = new ArrayList<>();
        List<Graph> graphs = new ArrayList<>();
        for (int payload : plan.payloads()) {
            tables.add(table(payload));
            graphs.add(rates(payload));
            graphs.add(averages(payload));
        }
        return new ScenarioResult(
                "broker",
                "A broker that keeps its messages in PostgreSQL, with and without a pool",
                startedAt,
                seconds,
                complete,
                plan.command(),
                plan.options(),
                Environment.here(),
                new BrokerFindings(plan, runs, failures).all(),
                tables,
                graphs,
                notes(),
                runs);
    }

    private Table table(int payload) {
        List<List<String>> rows = plan.stores().stream()
                .filter(store -> !figures.of(store, payload).isEmpty())
                .map(store -> row(store, payload))
                .toList();
        return new Table(
                plan.messages() + " messages of " + PayloadConverter.text(payload)
                        + " bytes through two queues; median over the JVMs",
                COLUMNS,
                rows);
    }

    private List<String> row(BrokerStore store, int payload) {
        Spread rate = figures.spread(store, payload, ChainRun::rate);
        Double published = store.published(payload);
        List<ChainRun> all = figures.of(store, payload);
        return List.of(
                store.toString(),
                Integer.toString(all.size()),
                published == null ? "" : TextTable.number(published, 2),
                rate.text(1),
                rate.range(1),
                figures.ratio(store, BrokerStore.POSTGRES_UNPOOLED, payload).text(2),
                figures.spread(store, payload, ChainRun::connectionsPerMessage).text(3),
                figures.spread(store, payload, ChainRun::connectionMs).text(3),
                figures.spread(store, payload, run -> p99(run.asked())).text(3),
                figures.spread(store, payload, ChainRun::mostOut).text(0),
                figures.spread(store, payload, run -> connections(run.connects()))
                        .text(0),
                Long.toString(all.stream().mapToLong(ChainRun::lost).sum()),
                Long.toString(all.stream().mapToLong(ChainRun::doubled).sum()));
    }

    private static double p99(MeteredDataSource.@Nullable Reading reading) {
        return reading == null ? Double.NaN : reading.p99Ms();
    }

    private static double connections(MeteredDataSource.@Nullable Reading reading) {
        return reading == null ? Double.NaN : reading.connections();
    }

    private Graph rates(int payload) {
        return graph(payload, "Rate per " + plan.batch() + " messages", BrokerResult::ratePoints);
    }

    private Graph averages(int payload) {
        return graph(
                payload,
                "Moving average of " + AVERAGED + " times " + plan.batch() + " messages",
                BrokerResult::averagePoints);
    }

    /** What a run's line is made of. */
    private interface Points {
        List<Graph.Point> of(ChainRun run);
    }

    private Graph graph(int payload, String what, Points points) {
        List<Graph.Series> series = plan.stores().stream()
                .flatMap(store -> figures.middle(store, payload).stream())
                .map(run -> new Graph.Series(run.store(), points.of(run)))
                .toList();
        return new Graph(
                what + ", payload " + PayloadConverter.text(payload),
                new Graph.Axis("messages that have arrived", "", false),
                new Graph.Axis("rate", "messages/s", false),
                series);
    }

    private static List<Graph.Point> ratePoints(ChainRun run) {
        List<Graph.Point> points = new ArrayList<>();
        for (double seconds : run.batchSeconds()) {
            points.add(new Graph.Point((points.size() + 1.0) * run.batch(), run.batch() / seconds));
        }
        return points;
    }

    /** The first ones are of as many as there are. */
    static List<Graph.Point> averagePoints(ChainRun run) {
        List<Graph.Point> points = new ArrayList<>();
        List<Double> batches = run.batchSeconds();
        for (int at = 0; at < batches.size(); at++) {
            List<Double> last = batches.subList(Math.max(0, at + 1 - AVERAGED), at + 1);
            double took = last.stream().mapToDouble(Double::doubleValue).sum();
            points.add(new Graph.Point((at + 1.0) * run.batch(), last.size() * run.batch() / took));
        }
        return points;
    }

    private List<String> notes() {
        String disks =
                runs.stream().map(run -> run.disk().fileSystem()).distinct().collect(Collectors.joining(", "));
        Spread sync = Spread.of(runs.stream().map(run -> run.disk().syncMs()).toList());
        List<String> notes = new ArrayList<>(plan.leftOut());
        failures.forEach(failure -> notes.add(failure.said()));
        notes.addAll(List.of(
                "Each run has a JVM, a PostgreSQL and a broker of its own; the order is random. fsync, full_page_writes"
                        + " and synchronous_commit are on, and the server was asked whether they are.",
                "The files are on " + disks + ", where a synchronous write of 1 kB took " + sync.text(2)
                        + " ms (medians of the JVMs: " + sync.range(2) + ").",
                "Sender, forwarder and receiver have a connection and a thread each, within the broker's JVM; no"
                        + " network. Each message is acknowledged by itself. At most " + plan.inFlight()
                        + " messages are on their way, so that the broker need not read from its store.",
                plan.warmUp() + " messages come before those that are measured.",
                "\"one takes\" is how long the broker waited for a connection, on average; \"connects\" what the pool"
                        + " connected meanwhile, which cannot be counted in PostgreSQL's own pool; \"out at once\" is a lower"
                        + " bound of the connections active at once.",
                "KahaDB writes synchronously, but it need not write a message that is acknowledged before its turn"
                        + " has come (the broker's default).",
                "Published: other hardware, another broker version, Camel between the queues. Only the ratios"
                        + " compare."));
        return notes;
    }
}
