// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.report.ScenarioOptions;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code simulate}. */
@Command(
        name = "simulate",
        description = "Sizing controllers against a modelled pool and database, in virtual time: failures, waits,"
                + " connections and regret of flexpool's controller, of others and of the best static size.")
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class SimulateCommand extends Subcommand {
    @Option(
            names = "--scenario",
            converter = ScenarioConverter.class,
            completionCandidates = ScenarioConverter.Names.class,
            paramLabel = "SCENARIO",
            description = "Scenarios: ${COMPLETION-CANDIDATES}. Default: all. The goals need all.")
    private Set<String> scenarios = new LinkedHashSet<>(ScenarioConverter.names());

    @Option(
            names = "--group",
            description = "Groups of scenarios: ${COMPLETION-CANDIDATES}. Default: all. Without public, the drawn"
                    + " ones are run by controllers that have no parameters to choose.")
    private Set<Group> groups = EnumSet.allOf(Group.class);

    @Option(
            names = "--controller",
            description = "Controllers: ${COMPLETION-CANDIDATES}. Default: all. The first one is always there: the"
                    + " regret is counted from it.")
    private Set<Contender> contenders = EnumSet.allOf(Contender.class);

    @Mixin
    private SimulateOptions options = new SimulateOptions();

    @Mixin
    private ScenarioOptions common = new ScenarioOptions();

    @Override
    public Integer call() throws Exception {
        Usl curve = options.curve();
        List<Long> seeds = LongStream.range(common.seed(), common.seed() + options.seeds(common))
                .boxed()
                .toList();
        Contest published = new Contest(chosen(Group.PUBLIC, Scenarios.on(curve)), seeds, contenders);
        Contest fresh = new Contest(chosen(Group.NEW, NewScenarios.on(curve)), seeds, contenders);
        Contest hard = new Contest(chosen(Group.HARD, HardScenarios.ALL), seeds, contenders);
        RandomCurves curves = new RandomCurves(drawn(Group.NEVER_SEEN, options.curves(common)), common.seed());
        RandomKinds kinds =
                new RandomKinds(drawn(Group.NEW_NEVER_SEEN, options.kinds(common)), common.seed(), scenarios);
        Instant started = Instant.now();
        try (Interrupt stop = Interrupt.watch()) {
            SimulateResult result;
            long runs = published.runs()
                    + fresh.runs()
                    + hard.runs()
                    + curves.runs(chosen(Group.NEVER_SEEN, Scenarios.on(curve)), 1 + contenders.size())
                    + kinds.runs(1 + contenders.size());
            try (Progress progress = new Progress("simulate", runs)) {
                Contest.Outcome outcome = published.run(progress, stop);
                List<Standing> shown =
                        outcome.scenarios().isEmpty() ? Standing.withoutParameters(contenders) : outcome.shown();
                result = new SimulateResult(
                        curve,
                        asked(
                                curve,
                                seeds.size(),
                                curves.drawn().size(),
                                kinds.drawn().size()),
                        new Outcomes(
                                outcome,
                                fresh.run(progress, stop),
                                hard.run(progress, stop),
                                curves.run(List.copyOf(scenarios), shown, progress, stop),
                                kinds.run(shown, progress, stop)));
            }
            common.publish(result.of(started, !stop.asked(), arguments()), out());
        }
        return 0;
    }

    private List<Scenario> chosen(Group group, List<Scenario> all) {
        return all.stream()
                .filter(scenario -> groups.contains(group) && scenarios.contains(scenario.name()))
                .toList();
    }

    private int drawn(Group group, int count) {
        return groups.contains(group) ? count : 0;
    }

    private Map<String, String> asked(Usl curve, int seeds, int curves, int kinds) {
        Map<String, String> asked = new LinkedHashMap<>();
        asked.put("group", joined(groups));
        asked.put("scenario", joined(scenarios));
        asked.put("controller", joined(contenders));
        asked.put("seeds", Integer.toString(seeds));
        asked.put("seed", Long.toString(common.seed()));
        asked.put("sigma", Double.toString(curve.sigma()));
        asked.put("kappa", Double.toString(curve.kappa()));
        asked.put("random-curves", Integer.toString(curves));
        asked.put("random-scenarios", Integer.toString(kinds));
        asked.put("quick", Boolean.toString(common.quick()));
        return asked;
    }
}
