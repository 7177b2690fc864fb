// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.classes;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.benchmarks.classes.SideBySide.Load;
import io.flexpool.benchmarks.classes.SideBySide.Outcome;
import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.report.QuickForm;
import io.flexpool.benchmarks.report.ReportFiles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code classes}. */
@Command(
        name = "classes",
        description =
                "Requests of several kinds on the same connections: on one pool, on two, behind Netflix's limiter with"
                        + " partitions, and on one pool with classes, with and without shedding; on PostgreSQL and in"
                        + " virtual time.")
public final class ClassesCommand extends Subcommand {
    private static final String SIDE_BY_SIDE = "a";
    /** Threads that are there before the first request comes. */
    private static final int THREADS = 200;

    private static final int ROUNDS = 3;
    private static final int SECONDS = 20;
    private static final int WARM_UP = 15;
    private static final int OVERLOAD_SECONDS = 30;
    private static final int BATCH_LEASE = 2000;
    private static final int QUICK_BATCH_LEASE = 500;
    private static final int WAITERS = 5000;
    private static final int QUICK_WAITERS = 1000;
    private static final Duration NO_TIMEOUT = Duration.ofMinutes(10);
    private static final double MS = 1000;

    @Option(
            names = "--experiment",
            split = ",",
            defaultValue = "a,b,c,d",
            description = "Which: a (batch work beside interactive requests), b (twice the load), c (a greedy tenant),"
                    + " d (requests that time out).")
    private Set<String> experiments = Set.of();

    @Option(names = "--virtual-only", description = "No PostgreSQL: only what there is in virtual time.")
    private boolean virtualOnly;

    @Range(max = 1_000)
    @Option(names = "--rounds", description = "How often each way to share is measured. Default: 3, with --quick 1.")
    private @Nullable Integer rounds;

    @Range(max = 3_600)
    @Option(names = "--seconds", description = "How long, each time. Default: 20, with --quick 1.")
    private @Nullable Integer seconds;

    @Range(max = 600)
    @Option(names = "--warm-up", description = "(a) How long before that, s. Default: 15, with --quick 1.")
    private @Nullable Integer warmUp;

    @Range(max = 3_600)
    @Option(names = "--overload-seconds", description = "How long twice the load lasts. Default: 30, with --quick 1.")
    private @Nullable Integer overloadSeconds;

    @Range(max = 10_000)
    @Option(names = "--rate", defaultValue = "100", description = "(a) Interactive requests a second.")
    private int rate;

    @Range(max = 1_000)
    @Option(names = "--batch-threads", defaultValue = "40", description = "(a) Threads that do batch work.")
    private int batchThreads;

    @Range(max = 60_000)
    @Option(
            names = "--batch-lease",
            description = "(a) How long a lease of theirs lasts, ms. Default: 2000, with --quick 500.")
    private @Nullable Integer batchLease;

    @Range(min = 2, max = 80)
    @Option(names = "--connections", defaultValue = "20", description = "Connections in all.")
    private int connections;

    @Range(max = 79)
    @Option(names = "--batch-most", defaultValue = "8", description = "(a) How many of them batch work may have.")
    private int batchMost;

    @Range(max = 10_000)
    @Option(names = "--lease", defaultValue = "100", description = "(b, c, d) How long a lease lasts, ms.")
    private int lease;

    @Range(max = 15_000)
    @Option(names = "--waiters", description = "(d) How many requests come at once. Default: 5000, with --quick 1000.")
    private @Nullable Integer waiters;

    @Mixin
    private QuickForm form = new QuickForm();

    @Mixin
    private ReportFiles files = new ReportFiles();

    /** Made by the command line parser. */
    public ClassesCommand() {}

    @Override
    public Integer call() throws Exception {
        if (batchMost >= connections) {
            throw refused("--batch-most", batchMost, "must be below --connections, " + connections);
        }
        for (String given : experiments) {
            if (!given.matches("[abcd]")) {
                throw refused("--experiment", given, "must be a, b, c or d");
            }
        }
        try (Interrupt stop = Interrupt.watch()) {
            List<ClassesResult> results = new ArrayList<>();
            if (!virtualOnly) {
                PostgresServer.unavailable().ifPresent(why -> {
                    throw refused("PostgreSQL cannot run here: " + why);
                });
                try (PostgresServer server = PostgresServer.start()) {
                    if (experiments.contains(SIDE_BY_SIDE)) {
                        results.addAll(
                                ClassesReport.sideBySide(sideBySide(server, stop), batchMost * MS / batchLease()));
                    }
                    results.addAll(played(real(server, stop), rounds(), stop::asked));
                }
            }
            // The same each time.
            results.addAll(played(Ground.VIRTUAL, 1, stop::asked));
            if (results.isEmpty() && !stop.asked()) {
                throw refused("nothing of --experiment " + experiments + " is played in virtual time");
            }
            files.publish(ClassesReport.of(form.selected(), results, !stop.asked()), out());
        }
        return 0;
    }

    private int rounds() {
        return form.value(rounds, ROUNDS, 1);
    }

    private int seconds() {
        return form.value(seconds, SECONDS, 1);
    }

    private int batchLease() {
        return form.value(batchLease, BATCH_LEASE, QUICK_BATCH_LEASE);
    }

    private int waiters() {
        return form.value(waiters, WAITERS, QUICK_WAITERS);
    }

    /** Round by round, so that whatever the machine does meanwhile concerns all alike. */
    private Map<Sharing, List<Outcome>> sideBySide(PostgresServer server, Interrupt stop) throws InterruptedException {
        Map<Sharing, List<Outcome>> outcomes = new EnumMap<>(Sharing.class);
        Shape shape = new Shape(connections, batchMost, false);
        try (Progress progress = new Progress("classes", (long) rounds() * Sharing.values().length)) {
            for (int round = 0; round < rounds(); round++) {
                for (Sharing sharing : Sharing.values()) {
                    int threads = sharing == Sharing.ALONE ? 0 : batchThreads;
                    Load load = new Load(form.value(warmUp, WARM_UP, 1), seconds(), rate, threads, batchLease());
                    Optional<Outcome> outcome = unlessAsked(stop::asked, () -> {
                        try (Sharing.Source source = sharing.open(server.dataSource(), shape, batchMost, NO_TIMEOUT)) {
                            return new SideBySide(load, source, stop::asked).run();
                        }
                    });
                    if (outcome.isEmpty()) {
                        return outcomes;
                    }
                    outcomes.computeIfAbsent(sharing, any -> new ArrayList<>()).add(outcome.get());
                    progress.step(sharing.toString());
                }
            }
        }
        return outcomes;
    }

    /** Of the rounds that were played to their end. */
    List<ClassesResult> played(Ground ground, int times, BooleanSupplier stop) throws InterruptedException {
        List<ClassesResult> results = new ArrayList<>();
        Shape shape = new Shape(connections, connections / 2, false);
        for (Experiment experiment : Experiment.values()) {
            if (!experiments.contains(experiment.letter)) {
                continue;
            }
            double lasts =
                    experiment == Experiment.OVERLOAD ? form.value(overloadSeconds, OVERLOAD_SECONDS, 1) : seconds();
            List<List<ClassesResult>> all = new ArrayList<>();
            for (int round = 0; round < times; round++) {
                Loads loads = new Loads(connections, lease / MS, lasts, waiters(), 1 + round);
                unlessAsked(stop, () -> experiment.round(ground, loads, shape)).ifPresent(all::add);
            }
            if (!all.isEmpty()) {
                results.addAll(ClassesReport.medians(all));
            }
        }
        return results;
    }

    /** One measurement. */
    private interface Measurement<T> {
        T run() throws InterruptedException;
    }

    /** Empty if the run is to end: what was under way then is no measurement, for the database may have ended first. */
    private static <T> Optional<T> unlessAsked(BooleanSupplier stop, Measurement<T> one) throws InterruptedException {
        if (stop.getAsBoolean()) {
            return Optional.empty();
        }
        try {
            T measured = one.run();
            return stop.getAsBoolean() ? Optional.empty() : Optional.of(measured);
        } catch (RuntimeException failed) {
            if (stop.getAsBoolean()) {
                return Optional.empty();
            }
            throw failed;
        }
    }

    private Ground real(PostgresServer server, Interrupt stop) {
        return (sharing, shape, asks) -> {
            try (Sharing.Source source =
                    sharing.open(server.dataSource(), shape, shape.connections(), sharing.timeout(lease / MS))) {
                // The whole of a storm comes at once.
                boolean storm =
                        asks.stream().mapToDouble(Ask::deadline).distinct().count() > 1;
                return RealPlay.play(source, asks, storm ? waiters() + THREADS : THREADS, stop::asked);
            }
        };
    }
}
