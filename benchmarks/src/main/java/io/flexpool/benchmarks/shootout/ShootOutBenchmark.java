// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import io.flexpool.benchmarks.kit.FreshJvm;
import io.flexpool.benchmarks.kit.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Rounds of fresh JVMs: each round one for every pool in every variant, one after the other, in random order, which that
 * of the thread counts is too. A heat that takes longer than the bound costs its JVM; the rounds behind it get another one.
 */
final class ShootOutBenchmark {
    /** Exit codes above it are those of JVMs that a signal ended. */
    private static final int FIRST_SIGNAL = 128;

    private static final long SIGNAL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Setup setup;
    private final BooleanSupplier stop;
    private final Class<?> program;
    private final List<Result> results = new ArrayList<>();

    /**
     * Nothing runs yet.
     *
     * @param stop asked all the time whether to leave it at what was measured
     */
    ShootOutBenchmark(Setup setup, BooleanSupplier stop) {
        this(setup, stop, Contest.class);
    }

    /** With another program than {@link Contest} in the fresh JVMs. */
    ShootOutBenchmark(Setup setup, BooleanSupplier stop, Class<?> program) {
        this.setup = setup;
        this.stop = stop;
        this.program = program;
    }

    private record Contestant(ShootOutPool pool, Variant variant) {}

    /** The reports of a JVM until it ended. */
    private final class Reports {
        private final List<Heat> heats = new ArrayList<>();
        private boolean warm;

        void onLine(String line) {
            if (line.equals(Contest.WARM)) {
                warm = true;
                return;
            }
            if (stop.getAsBoolean()) {
                // What interrupted this JVM may have ended the database, or half of the other one.
                return;
            }
            try {
                heats.add(Contest.JSON.readValue(line, Heat.class));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * Runs all rounds.
     *
     * @return in the order in which they ran
     */
    List<Result> run(Progress progress) throws IOException, InterruptedException {
        List<Contestant> contestants = new ArrayList<>();
        setup.pools()
                .forEach(pool -> setup.variants().forEach(variant -> contestants.add(new Contestant(pool, variant))));
        Random random = new Random(setup.seed());
        try (ShootOutDatabase.Running running = setup.database().start()) {
            for (int repeat = 0; repeat < setup.repeats(); repeat++) {
                Collections.shuffle(contestants, random);
                // The same for all, so that none has a thread count in a JVM that is warmer than another's.
                List<Assignment.Round> rounds = setup.rounds(random);
                for (Contestant contestant : contestants) {
                    if (!stop.getAsBoolean()) {
                        run(contestant, repeat, rounds, running.endpoint());
                        progress.step(contestant.pool() + " " + contestant.variant());
                    }
                }
            }
        }
        return List.copyOf(results);
    }

    private void run(
            Contestant contestant, int repeat, List<Assignment.Round> rounds, ShootOutDatabase.Endpoint endpoint)
            throws IOException, InterruptedException {
        List<Assignment.Round> left = rounds;
        while (!left.isEmpty()) {
            Reports reports = new Reports();
            FreshJvm.Ended ended =
                    jvm(contestant, endpoint, left).run(Contest.MARK, setup.bound(), stop, reports::onLine);
            reports.heats.forEach(heat -> add(contestant, repeat, heat));
            left = left.subList(reports.heats.size(), left.size());
            if (left.isEmpty() || interrupted(ended)) {
                return;
            }
            // A pool that cannot be warmed up or does not start will not do better in the next round.
            List<Assignment.Round> lost =
                    reports.warm && ended.end() == FreshJvm.End.SILENT ? left.subList(0, 1) : left;
            lost.forEach(round -> results.add(lost(contestant, repeat, round, reports.warm, ended)));
            left = left.subList(lost.size(), left.size());
        }
    }

    /** The signal that interrupts this JVM may have ended the other one a little earlier. */
    private boolean interrupted(FreshJvm.Ended ended) {
        long start = System.nanoTime();
        while (!stop.getAsBoolean()
                && ended.exitCode() > FIRST_SIGNAL
                && ended.end() == FreshJvm.End.EXITED
                && System.nanoTime() - start < SIGNAL_NANOS) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return stop.getAsBoolean();
    }

    private FreshJvm jvm(Contestant contestant, ShootOutDatabase.Endpoint endpoint, List<Assignment.Round> rounds)
            throws IOException {
        Assignment assignment =
                new Assignment(contestant.pool(), contestant.variant(), endpoint, rounds, setup.warmUp());
        return new FreshJvm(program)
                .options(contestant.pool().jvmOptions())
                .input(Contest.JSON.writeValueAsString(assignment));
    }

    private void add(Contestant contestant, int repeat, Heat heat) {
        results.add(new Result(
                contestant.pool(), contestant.variant(), repeat, heat.round(), Result.Outcome.MEASURED, heat, ""));
    }

    private Result lost(Contestant contestant, int repeat, Assignment.Round round, boolean warm, FreshJvm.Ended ended) {
        boolean hung = ended.end() == FreshJvm.End.SILENT;
        String why = hung
                ? "not over within " + setup.bound().toSeconds() + " s" + (warm ? "" : ", already while warming up")
                : "the JVM ended with " + ended.exitCode() + ": " + ended.said();
        return new Result(
                contestant.pool(),
                contestant.variant(),
                repeat,
                round,
                hung ? Result.Outcome.HUNG : Result.Outcome.FAILED,
                null,
                why);
    }
}
