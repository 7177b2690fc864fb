// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import static io.flexpool.benchmarks.kit.TextTable.number;

import io.flexpool.benchmarks.report.Claim;
import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Measured;
import io.flexpool.benchmarks.simulate.Pilot;
import io.flexpool.benchmarks.simulate.Pilot.Best;
import io.flexpool.benchmarks.simulate.Scenario;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What this project aims at on a real database, beside what came out: medians over the runs. */
final class AdaptiveGoals {
    private static final String SOURCE = "a goal of this project";
    private static final int ENOUGH_RUNS = 5;
    private static final int LEAST_RUNS = 3;

    private static final double P99_FROM = 5;
    private static final double P99_TO = 25;
    private static final double P99 = 1.25;
    private static final double DOWN_SECONDS = 60;
    private static final double DOWN = 1.2;
    private static final double SETTLED_SECONDS = 25;
    private static final double COMPLETIONS = 0.95;
    private static final double RECOVERY = 1.1;
    /** What is divided by; nothing that is compared is as little. */
    private static final double LEAST = 1e-3;

    private final List<Heat> heats;

    AdaptiveGoals(List<Heat> heats) {
        this.heats = heats;
    }

    /** Those of the scenarios that were played. */
    List<Finding> all() {
        return Stream.of(RealScenario.values())
                .flatMap(scenario -> {
                    List<Heat> runs = heats.stream()
                            .filter(heat -> heat.scenario() == scenario)
                            .toList();
                    return runs.isEmpty() ? Stream.of() : of(scenario).stream().map(goal -> goal.judged(runs));
                })
                .toList();
    }

    private static List<Claim<List<Heat>>> of(RealScenario scenario) {
        return switch (scenario) {
            case STEP -> List.of(noFailures("step"), stepTime(), stepDown());
            case OVERLOAD -> List.of(overloadSize(), overloadCompletions());
            case OUTAGE -> List.of(noGrowth(), recovery());
        };
    }

    // ---- one goal each ----

    private static Claim<List<Heat>> noFailures(String what) {
        ToDoubleFunction<Heat> failures = heat -> own(heat).failures();
        return goal(
                what + ": no request fails",
                failures,
                its -> its == 0,
                runs -> Measured.of(
                        number(median(runs, failures), 0) + " of "
                                + number((double) own(runs.get(0)).requests().size(), 0),
                        null,
                        "Failures" + each(runs, failures, 0) + ". Best static"
                                + each(runs, heat -> best(heat).failures(), 0) + "."));
    }

    private static Claim<List<Heat>> stepTime() {
        return comparison(
                "step: the p99 end-to-end time in seconds 5 to 25 after the step is at most " + number(P99, 2)
                        + " times that of the best static size",
                (heat, course) -> course.p99Ms(
                        heat.at(heat.scenario().begins() + P99_FROM),
                        heat.at(heat.scenario().begins() + P99_TO)),
                its -> its <= P99,
                " ms",
                "");
    }

    private static Claim<List<Heat>> overloadCompletions() {
        return comparison(
                "overload: at least " + number(COMPLETIONS, 2) + " times the completions of the best static size",
                (heat, course) -> course.completed(
                        heat.at(heat.scenario().begins()),
                        heat.at(heat.scenario().ends())),
                its -> its >= COMPLETIONS,
                "",
                "Of all that were served while the overload lasted.");
    }

    private static Claim<List<Heat>> recovery() {
        return comparison(
                "outage: it recovers in at most " + number(RECOVERY, 1) + " times the time of the best static size",
                AdaptiveGoals::recovery,
                its -> its <= RECOVERY,
                " s",
                "From the end of the outage to the end of the last request that failed. The pool's own pauses between"
                        + " connects are in it.");
    }

    private static double recovery(Heat heat, Course course) {
        double end = heat.at(RealScenario.OUTAGE.ends());
        return IntStream.range(0, course.requests().size())
                .filter(course::failed)
                .mapToDouble(n -> course.endedAt(n) - end)
                .reduce(0, Math::max);
    }

    private static Claim<List<Heat>> stepDown() {
        double need = Math.max(RealScenario.BASE, Need.CONNECTIONS);
        ToDoubleFunction<Heat> held = heat -> aMinuteLater(heat, own(heat));
        return goal(
                "step down: 60 s later at most " + number(DOWN, 1) + " times the base, or what the load needs",
                held,
                its -> its <= DOWN * need,
                runs -> Measured.of(
                        number(median(runs, held), 0) + " connections against " + number(need, 0),
                        median(runs, held) / need,
                        "Physical connections in seconds 60 to 65 after the step down" + each(runs, held, 0)
                                + "; FlexyPool"
                                + each(runs, heat -> aMinuteLater(heat, heat.of(Competitor.FLEXYPOOL)), 0) + "."));
    }

    private static double aMinuteLater(Heat heat, Course course) {
        double later = RealScenario.STEP.ends() + DOWN_SECONDS;
        return course.median(heat.at(later), heat.at(later + 5), Sample::held);
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

    private static Claim<List<Heat>> overloadSize() {
        ToDoubleFunction<Heat> size = heat -> own(heat)
                .median(
                        heat.at(heat.scenario().begins() + SETTLED_SECONDS),
                        heat.at(heat.scenario().ends()),
                        Sample::limit);
        // 1 for all sizes that are as good as the best.
        ToDoubleFunction<Heat> overNearest = heat -> size.applyAsDouble(heat)
                / Math.max(heat.best().smallest(), Math.min(heat.best().largest(), size.applyAsDouble(heat)));
        return goal(
                "overload: after 25 s the size is one of the best static ones",
                overNearest,
                its -> its == 1,
                runs -> Measured.of(
                        number(median(runs, size), 1) + " against "
                                + runs.get(0).best(),
                        median(runs, overNearest),
                        "The median of the limit from 25 s after the overload begins until it ends"
                                + each(runs, size, 1) + ". " + band(runs.get(0).best())));
    }

    private static String band(Best best) {
        return "In simulation " + best + " are within 3 % of the lowest mean time, which " + best.lowest()
                + " has; the smallest of these sizes is the one that is played.";
    }

    private static Claim<List<Heat>> noGrowth() {
        ToDoubleFunction<List<Heat>> most =
                runs -> figures(runs, AdaptiveGoals::growth).max().orElse(Double.NaN);
        return goal(
                "outage: nothing grows while it lasts",
                most,
                AdaptiveGoals::growth,
                its -> its <= 0,
                runs -> Measured.of(
                        number(most.applyAsDouble(runs), 0) + " connections more at most",
                        null,
                        "The highest limit in the outage less the highest in the second before it, in any run"
                                + each(runs, AdaptiveGoals::growth, 0) + "."));
    }

    /** In the outage; the second before it is one of the clock however fast the scenario is played. */
    private static double growth(Heat heat) {
        double begins = heat.at(RealScenario.OUTAGE.begins());
        double ends = heat.at(RealScenario.OUTAGE.ends());
        Course own = own(heat);
        int before = Math.max(own.most(begins - 1, begins, Sample::limit), own.lastBefore(begins, Sample::limit));
        return own.most(begins, ends, Sample::limit) - before;
    }

    // ---- what they have in common ----

    /** A figure of flexpool over that of the best static size in the same run. */
    private static Claim<List<Heat>> comparison(
            String claim, ToDoubleBiFunction<Heat, Course> figure, DoublePredicate met, String unit, String why) {
        ToDoubleFunction<Heat> own = heat -> figure.applyAsDouble(heat, own(heat));
        ToDoubleFunction<Heat> best = heat -> figure.applyAsDouble(heat, best(heat));
        ToDoubleFunction<Heat> ratio = heat -> own.applyAsDouble(heat) / Math.max(best.applyAsDouble(heat), LEAST);
        int decimals = unit.equals(" s") ? 2 : 0;
        return goal(
                claim,
                ratio,
                met,
                runs -> Measured.of(
                        number(median(runs, own), decimals) + unit + " against " + number(median(runs, best), decimals)
                                + unit,
                        median(runs, ratio),
                        (why + " The ratio is the median of those of each run" + each(runs, ratio, 3) + ": flexpool"
                                        + each(runs, own, decimals) + ", best static" + each(runs, best, decimals)
                                        + ".")
                                .strip()));
    }

    private static Claim<List<Heat>> goal(
            String claim, ToDoubleFunction<Heat> figure, DoublePredicate met, Function<List<Heat>, Measured> evidence) {
        return goal(claim, runs -> median(runs, figure), figure, met, evidence);
    }

    /** Decided by one figure of all runs; beside it stands how many of them meet the goal by themselves. */
    private static Claim<List<Heat>> goal(
            String claim,
            ToDoubleFunction<List<Heat>> all,
            ToDoubleFunction<Heat> each,
            DoublePredicate met,
            Function<List<Heat>, Measured> evidence) {
        return Claim.goal(
                SOURCE,
                claim,
                runs -> {
                    Measured its = evidence.apply(runs);
                    int count = runs.size();
                    long metBy = figures(runs, each).filter(met).count();
                    String metIn = count == 1 ? "" : ", met in " + metBy + " of " + count + " runs";
                    String median = "Median of " + count + (count == 1 ? " run. " : " runs. ");
                    return Measured.of(its.figure() + metIn, its.ratio(), median + its.why())
                            .unless(runs.get(0).pace() != 1, "it is stated for the scenario's own length")
                            .unless(
                                    count < LEAST_RUNS,
                                    "it is stated for " + ENOUGH_RUNS + " runs, and " + LEAST_RUNS + " are the least");
                },
                runs -> met.test(all.applyAsDouble(runs)));
    }

    private static Course own(Heat heat) {
        return heat.of(Competitor.FLEXPOOL);
    }

    private static Course best(Heat heat) {
        return heat.of(Competitor.BEST_STATIC);
    }

    private static DoubleStream figures(List<Heat> runs, ToDoubleFunction<Heat> figure) {
        return runs.stream().mapToDouble(figure);
    }

    private static double median(List<Heat> runs, ToDoubleFunction<Heat> figure) {
        return Medians.of(figures(runs, figure).toArray());
    }

    private static String each(List<Heat> runs, ToDoubleFunction<Heat> figure, int decimals) {
        return figures(runs, figure)
                .mapToObj(its -> number(its, decimals))
                .collect(Collectors.joining(", ", " (", ")"));
    }
}
