// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.adapter.tck.PostgresServer;
import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.OptionRules;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.messaging.JvmSeries;
import io.flexpool.benchmarks.messaging.JvmSeries.Planned;
import io.flexpool.benchmarks.report.ScenarioOptions;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The subcommand {@code broker}. */
@Command(
        modelTransformer = OptionRules.class,
        name = "broker",
        description = "Persistent messages through two queues of an embedded ActiveMQ that keeps them in PostgreSQL:"
                + " without a pool, with several, with these in flexpool, and without a database.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
@SuppressWarnings("NullAway.Init") // the command line parser fills the fields
public final class BrokerCommand implements Callable<Integer> {
    private static final int QUICK_MESSAGES = 200;

    @Range(min = 10)
    @Option(
            names = "--messages",
            defaultValue = "100000",
            paramLabel = "N",
            description = "Messages of each run. Default: ${DEFAULT-VALUE}; with --quick 200.")
    private int messages;

    @Option(
            names = "--payload",
            split = ",",
            converter = PayloadConverter.class,
            defaultValue = "1k,10k",
            paramLabel = "BYTES",
            description = "The size of a message's text, or several. Default: ${DEFAULT-VALUE}; with --quick 1k.")
    private Set<Integer> payloads = new LinkedHashSet<>();

    @Option(
            names = "--stores",
            split = ",",
            paramLabel = "STORE",
            description =
                    "Stores: ${COMPLETION-CANDIDATES}. Default: all. The verdicts compare stores with each" + " other.")
    private Set<BrokerStore> stores = EnumSet.allOf(BrokerStore.class);

    @Range(max = 100)
    @Option(
            names = "--repeats",
            defaultValue = "3",
            paramLabel = "N",
            description = "Runs of each store and payload, each in its own JVM. Default: ${DEFAULT-VALUE}; with"
                    + " --quick 1.")
    private int repeats;

    @Range(max = 10_000)
    @Option(
            names = "--in-flight",
            defaultValue = "100",
            paramLabel = "N",
            description = "Messages that may be on their way at once. Default: ${DEFAULT-VALUE}.")
    private int inFlight;

    @Mixin
    private ScenarioOptions options = new ScenarioOptions();

    @Spec
    private CommandSpec spec;

    /** Made by the command line parser. */
    public BrokerCommand() {}

    @Override
    public Integer call() throws Exception {
        String startedAt = OffsetDateTime.now(ZoneId.systemDefault())
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        long start = System.nanoTime();
        BrokerPlan plan = plan();
        try (Interrupt stop = Interrupt.watch()) {
            JvmSeries jvms = new JvmSeries(ChainJvm.class);
            List<Planned> planned = plan.jvms();
            List<ChainRun> runs;
            try (Progress progress = new Progress(
                    "broker", planned.stream().mapToInt(Planned::weight).sum())) {
                runs = jvms.run(planned, ChainRun.class, progress, stop::asked);
            }
            boolean complete = runs.size() == plan.size();
            double seconds = (System.nanoTime() - start) / 1e9;
            options.publish(
                    new BrokerResult(plan, runs, jvms.failures()).result(startedAt, seconds, complete),
                    spec.commandLine().getOut());
            return jvms.failures().isEmpty() ? 0 : 1;
        }
    }

    private BrokerPlan plan() {
        boolean quick = options.quick();
        Map<BrokerStore, String> leftOut = leftOut();
        Set<BrokerStore> available = EnumSet.copyOf(stores);
        available.removeAll(leftOut.keySet());
        List<String> notices = leftOut.entrySet().stream()
                .map(each -> "NOTICE: " + each.getKey() + " is left out: " + each.getValue() + ".")
                .toList();
        notices.forEach(spec.commandLine().getOut()::println);
        if (available.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "No store is left. " + String.join(" ", notices));
        }
        return new BrokerPlan(
                available,
                quick && !given("--payload")
                        ? new TreeSet<>(Set.of(BrokerStore.SMALL_PAYLOAD))
                        : new TreeSet<>(payloads),
                quick && !given("--messages") ? QUICK_MESSAGES : messages,
                quick && !given("--repeats") ? 1 : repeats,
                inFlight,
                options.seed(),
                quick,
                notices);
    }

    private boolean given(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    /** Those that cannot run on this machine, and why. */
    private Map<BrokerStore, String> leftOut() {
        Map<BrokerStore, String> leftOut = new EnumMap<>(BrokerStore.class);
        if (stores.stream().anyMatch(BrokerStore::usesDatabase)) {
            PostgresServer.unavailable()
                    .ifPresent(why -> stores.stream()
                            .filter(BrokerStore::usesDatabase)
                            .forEach(store -> leftOut.put(store, "PostgreSQL cannot run here: " + why)));
        }
        return leftOut;
    }
}
