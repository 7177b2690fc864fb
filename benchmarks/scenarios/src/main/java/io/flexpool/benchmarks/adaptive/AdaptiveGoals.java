// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import io.flexpool.benchmarks.simulate.Pilot;
import io.flexpool.benchmarks.simulate.Pilot.Best;
import io.flexpool.benchmarks.simulate.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What this project aims at on a real database, beside what came out: medians over the runs. */
final class AdaptiveGoals {
    private static final String GOAL = "a goal of this project";
    private static final int ENOUGH_RUNS = 5;
    private static final int LEAST_RUNS = 3;

    private static final double P99_FROM = 5;
    private static final double P99_TO = 25;
    private static final double P99 = 1.25;
    private static final double MEAN = 1.25;
    private static final double MS = 1e3;
    private static final double DOWN_SECONDS = 60;
    private static final double DOWN = 1.2;
    private static final double SETTLED_SECONDS = 25;
    private static final double COMPLETIONS = 0.95;
    private static final double HELD = 1;
    private static final double RECOVERY = 1.1;
    private static final double TOLD_SECONDS = 5;

    private final List<Heat> heats;

    AdaptiveGoals(List<Heat> heats) {
        this.heats = heats;
    }

    /** Those of the scenarios that were played. */
    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        for (RealScenario scenario : RealScenario.values()) {
            List<Heat> runs =
                    heats.stream().filter(heat -> heat.scenario() == scenario).toList();
            if (!runs.isEmpty()) {
                findings.addAll(of(scenario, runs));
            }
        }
        return findings;
    }

    private static List<Finding> of(RealScenario scenario, List<Heat> runs) {
        return switch (scenario) {
            case STEP -> List.of(noFailures("step", runs), stepTime(runs), stepDown(runs));
            case OVERLOAD -> List.of(overloadSize(runs), overloadCompletions(runs));
            case SLOW -> List.of(slow(runs));
            case LEAK -> List.of(noFailures("leak of twelve", runs), reported(runs));
            case OUTAGE -> List.of(noGrowth(runs), recovery(runs));
            case LATENCY, BURST, MIXED -> List.of(noFailures(scenario.toString(), runs), meanTime(scenario, runs));
            case TWO_POOLS, FOUR_POOLS, SHORT_TIMEOUT, COLD_START, SATURATED_START -> List.of(meanTime(scenario, runs));
            case CONTENTION -> List.of();
        };
    }

    // ---- one goal each ----

    private static Finding noFailures(String what, List<Heat> runs) {
        double failures = median(runs, heat -> own(heat).failures());
        return judged(
                runs,
                what + ": no request fails",
                number(failures, 0) + " of "
                        + number((double) own(runs.get(0)).requests().size(), 0),
                null,
                failures == 0,
                heat -> own(heat).failures() == 0,
                "Failures" + each(runs, heat -> own(heat).failures(), 0) + ". Best static"
                        + each(runs, heat -> best(heat).failures(), 0) + ".");
    }

    private static Finding meanTime(RealScenario scenario, List<Heat> runs) {
        ToDoubleFunction<Heat> ratio =
                heat -> own(heat).meanSeconds() / best(heat).meanSeconds();
        double median = median(runs, ratio);
        return judged(
                runs,
                scenario + ": the mean end-to-end time is at most " + number(MEAN, 2)
                        + " times that of the best static size",
                number(MS * median(runs, heat -> own(heat).meanSeconds()), 0) + " ms against "
                        + number(MS * median(runs, heat -> best(heat).meanSeconds()), 0) + " ms",
                median,
                median <= MEAN,
                heat -> ratio.applyAsDouble(heat) <= MEAN,
                "A failure counts 5 s. The ratio is the median of those of each run" + each(runs, ratio, 2) + ".");
    }

    private static Finding stepTime(List<Heat> runs) {
        ToDoubleFunction<Heat> own = heat -> p99(heat, own(heat));
        ToDoubleFunction<Heat> best = heat -> p99(heat, best(heat));
        double ratio = median(runs, heat -> own.applyAsDouble(heat) / best.applyAsDouble(heat));
        return judged(
                runs,
                "step: the p99 end-to-end time in seconds 5 to 25 after the step is at most " + number(P99, 2)
                        + " times that of the best static size",
                number(median(runs, own), 0) + " ms against " + number(median(runs, best), 0) + " ms",
                ratio,
                ratio <= P99,
                heat -> own.applyAsDouble(heat) / best.applyAsDouble(heat) <= P99,
                "The ratio is that of the same run, the figure is the median of the ratios"
                        + each(runs, heat -> own.applyAsDouble(heat) / best.applyAsDouble(heat), 2) + ".");
    }

    private static double p99(Heat heat, Course course) {
        double step = heat.scenario().begins();
        return course.p99Ms(heat.at(step + P99_FROM), heat.at(step + P99_TO));
    }

    private static Finding stepDown(List<Heat> runs) {
        RealScenario step = RealScenario.STEP;
        double need = Math.max(RealScenario.BASE, Need.CONNECTIONS);
        ToDoubleFunction<Heat> held = heat -> own(heat)
                .median(heat.at(step.ends() + DOWN_SECONDS), heat.at(step.ends() + DOWN_SECONDS + 5), Sample::held);
        double median = median(runs, held);
        return judged(
                runs,
                "step down: 60 s later at most " + number(DOWN, 1) + " times the base, or what the load needs",
                number(median, 0) + " connections against " + number(need, 0),
                median / need,
                median <= DOWN * need,
                heat -> held.applyAsDouble(heat) <= DOWN * need,
                "Physical connections in seconds 60 to 65 after the step down" + each(runs, held, 0) + "; FlexyPool"
                        + each(
                                runs,
                                heat -> heat.of(Competitor.FLEXYPOOL)
                                        .median(
                                                heat.at(step.ends() + DOWN_SECONDS),
                                                heat.at(step.ends() + DOWN_SECONDS + 5),
                                                Sample::held),
                                0)
                        + ".");
    }

    /** What the step's low load needs: the best static size for it alone. Found once. */
    private static final class Need {
        static final int CONNECTIONS = Pilot.bestStatic(
                        new Scenario(
                                "need",
                                RealScenario.CURVE,
                                RealScenario.BASE,
                                RealScenario.CEILING,
                                120,
                                List.of(RealScenario.STEP.phases().get(0)),
                                List.of(),
                                List.of()),
                        List.of(1L, 2L, 3L))
                .smallest();

        private Need() {}
    }

    private static Finding overloadSize(List<Heat> runs) {
        RealScenario overload = RealScenario.OVERLOAD;
        ToDoubleFunction<Heat> size = heat ->
                own(heat).median(heat.at(overload.begins() + SETTLED_SECONDS), heat.at(overload.ends()), Sample::limit);
        double median = median(runs, size);
        return judged(
                runs,
                "overload: after 25 s the size is one of the best static ones",
                number(median, 1) + " against " + runs.get(0).best(),
                median / nearest(runs, median),
                median == nearest(runs, median),
                heat -> size.applyAsDouble(heat) == nearest(runs, size.applyAsDouble(heat)),
                "The median of the limit from 25 s after the overload begins until it ends" + each(runs, size, 1) + ". "
                        + band(runs));
    }

    /** Of the sizes that are as good as the best: the size itself if it is between them. */
    private static double nearest(List<Heat> runs, double size) {
        Best best = runs.get(0).best();
        return Math.max(best.smallest(), Math.min(best.largest(), size));
    }

    private static Finding overloadCompletions(List<Heat> runs) {
        RealScenario overload = RealScenario.OVERLOAD;
        ToDoubleFunction<Heat> ratio =
                heat -> (double) served(heat, own(heat), overload) / Math.max(1, served(heat, best(heat), overload));
        double median = median(runs, ratio);
        return judged(
                runs,
                "overload: at least " + number(COMPLETIONS, 2) + " times the completions of the best static size",
                number(median(runs, heat -> served(heat, own(heat), overload)), 0) + " against "
                        + number(median(runs, heat -> served(heat, best(heat), overload)), 0),
                median,
                median >= COMPLETIONS,
                heat -> ratio.applyAsDouble(heat) >= COMPLETIONS,
                "Of all that were served while the overload lasted; the ratio is that of the same run"
                        + each(runs, ratio, 3) + ".");
    }

    private static long served(Heat heat, Course course, RealScenario scenario) {
        return course.completed(heat.at(scenario.begins()), heat.at(scenario.ends()));
    }

    private static Finding slow(List<Heat> runs) {
        RealScenario slow = RealScenario.SLOW;
        int best = runs.get(0).best().smallest();
        double held = median(runs, heat -> own(heat).meanHeld());
        return judged(
                runs,
                "slow database: on average at most one connection more than the best static size",
                number(held, 1) + " against " + best,
                held / (best + HELD),
                held <= best + HELD,
                heat -> own(heat).meanHeld() <= best + HELD,
                "Physical connections, mean over the run"
                        + each(runs, heat -> own(heat).meanHeld(), 1)
                        + "; while it is slow"
                        + each(runs, heat -> own(heat).meanHeld(heat.at(slow.begins()), heat.at(slow.ends())), 1)
                        + ". " + band(runs));
    }

    private static String band(List<Heat> runs) {
        return "These sizes are in simulation within 3 % of the lowest mean time, which "
                + runs.get(0).best().lowest() + " has; the smallest of them is the one that is played.";
    }

    private static Finding noGrowth(List<Heat> runs) {
        ToDoubleFunction<Heat> growth = AdaptiveGoals::growth;
        double most = runs.stream().mapToDouble(growth).max().orElse(Double.NaN);
        return judged(
                runs,
                "outage: nothing grows while it lasts",
                number(most, 0) + " connections more at most",
                null,
                most <= 0,
                heat -> growth(heat) <= 0,
                "The highest limit in the outage less the highest in the second before it, in any run"
                        + each(runs, growth, 0) + ".");
    }

    /** In the outage; the second before it is one of the clock however fast the scenario is played. */
    private static int growth(Heat heat) {
        double begins = heat.at(RealScenario.OUTAGE.begins());
        double ends = heat.at(RealScenario.OUTAGE.ends());
        Course own = own(heat);
        int before = Math.max(own.most(begins - 1, begins, Sample::limit), own.lastBefore(begins, Sample::limit));
        return own.most(begins, ends, Sample::limit) - before;
    }

    private static Finding recovery(List<Heat> runs) {
        ToDoubleFunction<Heat> own = heat -> recovery(heat, own(heat));
        ToDoubleFunction<Heat> best = heat -> recovery(heat, best(heat));
        double ratio = median(runs, own) / Math.max(median(runs, best), 1e-3);
        return judged(
                runs,
                "outage: it recovers in at most " + number(RECOVERY, 1) + " times the time of the best static size",
                number(median(runs, own), 2) + " s against " + number(median(runs, best), 2) + " s",
                ratio,
                ratio <= RECOVERY,
                heat -> own.applyAsDouble(heat) <= RECOVERY * best.applyAsDouble(heat),
                "From the end of the outage to the end of the last request that failed" + each(runs, own, 2)
                        + "; best static" + each(runs, best, 2)
                        + ". The pool's own pauses between connects are in it.");
    }

    private static double recovery(Heat heat, Course course) {
        double end = heat.at(RealScenario.OUTAGE.ends());
        double last = end;
        for (int n = 0; n < course.requests().size(); n++) {
            if (course.failed(n)) {
                last = Math.max(last, course.endedAt(n));
            }
        }
        return last - end;
    }

    private static Finding reported(List<Heat> runs) {
        ToDoubleFunction<Heat> late = heat -> Occupied.reported(own(heat)) - Occupied.knowable(heat, own(heat));
        double median = median(runs, late);
        return judged(
                runs,
                "leak of twelve: the finding OCCUPIED comes at most " + number(TOLD_SECONDS, 0)
                        + " s after it can be known",
                Double.isFinite(median) ? number(median, 1) + " s" : "never",
                Double.isFinite(median) ? median / TOLD_SECONDS : null,
                median <= TOLD_SECONDS,
                heat -> late.applyAsDouble(heat) <= TOLD_SECONDS,
                "It can be known when a lease is older than 2 s and 60 calm leases and requests wait while all"
                        + " connections are active. In the runs" + each(runs, late, 1) + " s.");
    }

    // ---- what they have in common ----

    private static Course own(Heat heat) {
        return heat.of(Competitor.FLEXPOOL);
    }

    private static Course best(Heat heat) {
        return heat.of(Competitor.BEST_STATIC);
    }

    private static double median(List<Heat> runs, ToDoubleFunction<Heat> figure) {
        return Medians.of(runs.stream().mapToDouble(figure).toArray());
    }

    private static String each(List<Heat> runs, ToDoubleFunction<Heat> figure, int decimals) {
        return runs.stream()
                .map(heat -> number(figure.applyAsDouble(heat), decimals))
                .collect(Collectors.joining(", ", " (", ")"));
    }

    private static Finding judged(
            List<Heat> runs,
            String claim,
            String measured,
            @Nullable Double ratio,
            boolean met,
            Predicate<Heat> metInRun,
            String why) {
        Optional<String> lacking = lacking(runs);
        Verdict verdict = lacking.isPresent() ? Verdict.CANNOT_BE_JUDGED : met ? Verdict.GOAL_MET : Verdict.GOAL_MISSED;
        String count = "Median of " + runs.size() + (runs.size() == 1 ? " run. " : " runs. ");
        // Of a single run the figure says it.
        String each = runs.size() == 1
                ? ""
                : ", met in " + runs.stream().filter(metInRun).count() + " of " + runs.size() + " runs";
        return new Finding(claim, GOAL, null, measured + each, ratio, verdict, lacking.orElse("") + count + why);
    }

    private static Optional<String> lacking(List<Heat> runs) {
        if (runs.get(0).pace() != 1) {
            return Optional.of("It is stated for the scenario's own length. ");
        }
        return runs.size() < LEAST_RUNS
                ? Optional.of("It is stated for " + ENOUGH_RUNS + " runs, and " + LEAST_RUNS + " are the least. ")
                : Optional.empty();
    }
}
