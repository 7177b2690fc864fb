// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand;
import io.flexpool.benchmarks.report.ScenarioOptions;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The subcommand {@code adaptive}. */
@Command(
        name = "adaptive",
        description = "Sizing controllers on a real database, side by side: the best static size, FlexyPool, Gradient2"
                + " and flexpool under load that changes, an overload and an outage.")
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class AdaptiveCommand extends Subcommand {
    private static final int RUNS = 5;
    /** All scenarios within a minute. */
    private static final double QUICK_PACE = 0.06;

    @Option(names = "--db", defaultValue = "postgres", description = "The database: ${COMPLETION-CANDIDATES}.")
    private RealDatabase database;

    @Option(names = "--scenario", description = "Scenarios: ${COMPLETION-CANDIDATES}. Default: all.")
    private Set<RealScenario> scenarios = EnumSet.allOf(RealScenario.class);

    @Option(names = "--pool", defaultValue = "hikaricp", description = "The pool: ${COMPLETION-CANDIDATES}.")
    private RealPool pool;

    @Range(max = 100)
    @Option(
            names = "--runs",
            description = "Runs of each scenario, of which the medians count. Default: 5, with --quick 1.")
    private @Nullable Integer runs;

    @Mixin
    private ScenarioOptions common = new ScenarioOptions();

    /** Made by the command line parser. */
    public AdaptiveCommand() {}

    @Override
    public Integer call() throws Exception {
        PostgresServer.unavailable().ifPresent(this::refuse);
        List<RealScenario> chosen = scenarios.stream().sorted().toList();
        Instant started = Instant.now();
        AdaptiveBenchmark benchmark =
                new AdaptiveBenchmark(chosen, runs(), common.seed(), common.quick() ? QUICK_PACE : 1);
        try (Interrupt stop = Interrupt.watch()) {
            List<Heat> heats;
            try (Progress progress = new Progress("adaptive", benchmark.seconds())) {
                heats = benchmark.run(progress, stop);
            }
            AdaptiveResult result = new AdaptiveResult(
                    asked(chosen), benchmark.best(), benchmark.gradient2().parameters(), heats);
            common.publish(result.of(started, !stop.asked(), arguments()), out());
        }
        return 0;
    }

    private int runs() {
        return common.value(runs, RUNS, 1);
    }

    private void refuse(String why) {
        throw refused("--db", database, "cannot run here (" + why + "), and there is no other");
    }

    private Map<String, String> asked(List<RealScenario> chosen) {
        Map<String, String> asked = new LinkedHashMap<>();
        asked.put("db", database.toString());
        asked.put("scenario", joined(chosen));
        asked.put("pool", pool.toString());
        asked.put("runs", Integer.toString(runs()));
        asked.put("seed", Long.toString(common.seed()));
        asked.put("quick", Boolean.toString(common.quick()));
        return asked;
    }
}
