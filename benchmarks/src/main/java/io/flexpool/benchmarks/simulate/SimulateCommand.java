// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.report.ScenarioOptions;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The subcommand {@code simulate}. */
@Command(
        name = "simulate",
        description = "Sizing controllers against a modelled pool and database, in virtual time: failures, waits,"
                + " connections and regret of flexpool's controller, of others and of the best static size.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class SimulateCommand implements Callable<Integer> {
    @Option(
            names = "--scenario",
            split = ",",
            converter = ScenarioConverter.class,
            completionCandidates = ScenarioConverter.Names.class,
            paramLabel = "SCENARIO",
            description = "Scenarios: ${COMPLETION-CANDIDATES}. Default: all. The goals need all.")
    private Set<String> scenarios = new LinkedHashSet<>(ScenarioConverter.names());

    @Option(
            names = "--controller",
            split = ",",
            converter = Contender.Converter.class,
            paramLabel = "CONTROLLER",
            description = "Controllers: ${COMPLETION-CANDIDATES}. Default: all. The first one is always there: the"
                    + " regret is counted from it.")
    private Set<Contender> contenders = EnumSet.allOf(Contender.class);

    @Mixin
    private SimulateOptions options = new SimulateOptions();

    @Mixin
    private ScenarioOptions common = new ScenarioOptions();

    @Spec
    private CommandSpec spec;

    /** Made by the command line parser. */
    public SimulateCommand() {}

    @Override
    public Integer call() throws Exception {
        boolean quick = common.quick();
        Usl curve = options.curve();
        List<Scenario> chosen = Scenarios.on(curve).stream()
                .filter(scenario -> scenarios.contains(scenario.name()))
                .toList();
        List<Long> seeds = LongStream.range(common.seed(), common.seed() + options.seeds(quick))
                .boxed()
                .toList();
        Contest contest = new Contest(chosen, seeds, contenders);
        RandomCurves curves = new RandomCurves(options.curves(quick), common.seed());
        Instant started = Instant.now();
        try (Interrupt stop = Interrupt.watch()) {
            SimulateResult result;
            try (Progress progress =
                    new Progress("simulate", contest.runs() + curves.runs(chosen, 1 + contenders.size()))) {
                Contest.Outcome outcome = contest.run(progress, stop);
                result = new SimulateResult(
                        curve,
                        asked(curve, seeds.size(), curves.drawn().size()),
                        outcome,
                        curves.run(List.copyOf(scenarios), outcome.shown(), progress, stop));
            }
            common.publish(
                    result.of(
                            started,
                            !stop.asked(),
                            spec.commandLine().getParseResult().originalArgs()),
                    spec.commandLine().getOut());
        }
        return 0;
    }

    private Map<String, String> asked(Usl curve, int seeds, int curves) {
        Map<String, String> asked = new LinkedHashMap<>();
        asked.put("scenario", String.join(",", scenarios));
        asked.put("controller", contenders.stream().map(Object::toString).collect(Collectors.joining(",")));
        asked.put("seeds", Integer.toString(seeds));
        asked.put("seed", Long.toString(common.seed()));
        asked.put("sigma", Double.toString(curve.sigma()));
        asked.put("kappa", Double.toString(curve.kappa()));
        asked.put("random-curves", Integer.toString(curves));
        asked.put("quick", Boolean.toString(common.quick()));
        return asked;
    }
}
