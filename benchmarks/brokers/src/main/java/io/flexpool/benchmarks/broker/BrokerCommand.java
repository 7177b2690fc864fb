// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.kit.OptionRules;
import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.report.ScenarioOptions;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
        Scenario scenario = new Scenario(new Chain(), options, spec);
        Set<Integer> sizes = new TreeSet<>(scenario.value("--payload", payloads, Set.of(Chain.SMALL)));
        int count = scenario.value("--messages", messages, QUICK_MESSAGES);
        List<Workload> workloads =
                sizes.stream().map(size -> Chain.workload(size, count)).toList();
        return scenario.run(own(count, workloads), stores, workloads, repeats, inFlight);
    }

    static Map<String, List<String>> own(int messages, List<Workload> workloads) {
        Map<String, List<String>> own = new LinkedHashMap<>();
        own.put("messages", List.of(Integer.toString(messages)));
        own.put("payload", List.of(workloads.stream().map(Workload::name).collect(Collectors.joining(","))));
        return own;
    }
}
