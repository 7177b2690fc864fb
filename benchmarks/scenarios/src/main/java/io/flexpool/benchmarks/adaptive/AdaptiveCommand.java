// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.adapter.tck.PostgresServer;
import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.OptionRules;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.report.ScenarioOptions;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The subcommand {@code adaptive}. */
@Command(
        modelTransformer = OptionRules.class,
        name = "adaptive",
        description = "Sizing controllers on a real database, side by side: the best static size, FlexyPool, Gradient2"
                + " and flexpool under load that changes, a slow or distant database, leaks, an outage and real"
                + " contention.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class AdaptiveCommand implements Callable<Integer> {
    private static final int RUNS = 5;
    /** All scenarios within a minute. */
    private static final double QUICK_PACE = 0.06;

    @Option(
            names = "--db",
            defaultValue = "postgres",
            paramLabel = "DB",
            description = "The database: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private RealDatabase database;

    @Option(
            names = "--scenario",
            split = ",",
            paramLabel = "SCENARIO",
            description =
                    "Scenarios: ${COMPLETION-CANDIDATES}. Default: the first seven. In contention one pool plays after"
                            + " the other, which takes longer than all others.")
    private Set<RealScenario> scenarios = EnumSet.copyOf(RealScenario.USUAL);

    @Option(
            names = "--pool",
            defaultValue = "hikaricp",
            paramLabel = "POOL",
            description = "The pool: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
    private RealPool pool;

    @Range(max = 100)
    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "Runs of each scenario, of which the medians count. Default: 5, with --quick 1.")
    private @Nullable Integer runs;

    @Mixin
    private ScenarioOptions common = new ScenarioOptions();

    @Spec
    private CommandSpec spec;

    /** Made by the command line parser. */
    public AdaptiveCommand() {}

    @Override
    public Integer call() throws Exception {
        PostgresServer.unavailable().ifPresent(this::refuse);
        List<RealScenario> chosen = scenarios.stream().sorted().collect(Collectors.toList());
        Instant started = Instant.now();
        AdaptiveBenchmark benchmark =
                new AdaptiveBenchmark(chosen, runs(), common.seed(), common.quick() ? QUICK_PACE : 1);
        try (Interrupt stop = Interrupt.watch()) {
            List<Heat> heats;
            try (Progress progress = new Progress("adaptive", benchmark.seconds())) {
                heats = benchmark.run(progress, stop);
            }
            common.publish(
                    new AdaptiveResult(
                                    asked(chosen),
                                    benchmark.best(),
                                    benchmark.gradient2().parameters(),
                                    heats)
                            .of(
                                    started,
                                    !stop.asked(),
                                    spec.commandLine().getParseResult().originalArgs()),
                    spec.commandLine().getOut());
        }
        return 0;
    }

    private int runs() {
        return runs == null ? (common.quick() ? 1 : RUNS) : runs;
    }

    private void refuse(String why) {
        throw new ParameterException(
                spec.commandLine(),
                "Invalid value for option '--db': '" + database + "' cannot run here (" + why + "), and there is no"
                        + " other");
    }

    private Map<String, String> asked(List<RealScenario> chosen) {
        Map<String, String> asked = new LinkedHashMap<>();
        asked.put("db", database.toString());
        asked.put("scenario", chosen.stream().map(Object::toString).collect(Collectors.joining(",")));
        asked.put("pool", pool.toString());
        asked.put("runs", Integer.toString(runs()));
        asked.put("seed", Long.toString(common.seed()));
        asked.put("quick", Boolean.toString(common.quick()));
        return asked;
    }
}
