// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.kit.Range;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The subcommand {@code broker}. */
@Command(
        name = "broker",
        description = "Persistent messages through two queues of an embedded ActiveMQ that keeps them in PostgreSQL:"
                + " without a pool, with several, with these in flexpool, and without a database.")
public final class BrokerCommand extends StoreCommand {
    private static final int MESSAGES = 100_000;
    private static final int QUICK_MESSAGES = 200;

    @Range(min = 10)
    @Option(names = "--messages", description = "Messages of each run. Default: 100000; with --quick 200.")
    private @Nullable Integer messages;

    @Option(
            names = "--payload",
            converter = PayloadConverter.class,
            paramLabel = "BYTES",
            description = "The size of a message's text, or several. Default: 1k,10k; with --quick 1k.")
    private @Nullable Set<Integer> payloads;

    @Option(
            names = "--stores",
            description =
                    "Stores: ${COMPLETION-CANDIDATES}. Default: all. The verdicts compare stores with each other.")
    private Set<BrokerStore> stores = EnumSet.allOf(BrokerStore.class);

    @Override
    public Integer call() throws Exception {
        Set<Integer> sizes =
                new TreeSet<>(options().value(payloads, Set.of(Chain.SMALL, Chain.LARGE), Set.of(Chain.SMALL)));
        int count = options().value(messages, MESSAGES, QUICK_MESSAGES);
        List<Workload> workloads =
                sizes.stream().map(size -> Chain.workload(size, count)).toList();
        return run(new Chain(), own(count, workloads), stores, workloads);
    }

    static Map<String, List<String>> own(int messages, List<Workload> workloads) {
        Map<String, List<String>> own = new LinkedHashMap<>();
        own.put("messages", List.of(Integer.toString(messages)));
        own.put("payload", List.of(workloads.stream().map(Workload::name).collect(Collectors.joining(","))));
        return own;
    }
}
