// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand.Refusal;
import io.flexpool.benchmarks.report.ScenarioOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much load, on how large a pool. Defaults depend on whether the small form is selected. */
final class DirectoryOptions {
    private static final long MOST_REQUESTS = 2_000_000;

    @Range(max = 86_400)
    @Option(
            names = "--duration",
            paramLabel = "S",
            description = "The steady phase of each pool and variant, seconds. Default: 20, with --quick 1.")
    private @Nullable Integer seconds;

    @Range(max = 1_000)
    @Option(names = "--bursts", description = "Bursts after the steady phase. Default: 16, with --quick 1.")
    private @Nullable Integer bursts;

    @Range(max = 1_000)
    @Option(names = "--burst-size", defaultValue = "100", description = "Requests of one burst, all at once.")
    private int burstSize;

    @Range(max = 60_000)
    @Option(
            names = "--every",
            paramLabel = "MS",
            description = "From one burst to the next, milliseconds. Default: 3000, with --quick 800.")
    private @Nullable Integer everyMs;

    @Range(max = 100)
    @Option(names = "--clients", defaultValue = "4", description = "Clients.")
    private int clients;

    @Range(max = 1_000)
    @Option(names = "--rate", defaultValue = "100", description = "Steady requests per second of each client.")
    private int rate;

    @Range(min = 0, max = 1_000)
    @Option(
            names = "--log",
            paramLabel = "MS",
            description = "How long a request writes its log with its connection still out, milliseconds. Default:"
                    + " 250, with --quick 50.")
    private @Nullable Integer logMs;

    @Range(max = 200)
    @Option(names = "--base", description = "Connections of a pool at first. Default: 105, with --quick 32.")
    private @Nullable Integer base;

    @Range(min = 2, max = 200)
    @Option(
            names = "--ceiling",
            description = "Connections of a grown pool, not below the base. Default: 150, with --quick 64.")
    private @Nullable Integer ceiling;

    @Range(min = 250, max = 60_000)
    @Option(
            names = "--timeout",
            paramLabel = "MS",
            description = "The acquisition timeout of one attempt, milliseconds, from 250, the least that HikariCP"
                    + " takes. Default: 300, with --quick 250.")
    private @Nullable Integer timeoutMs;

    @Range(min = 250, max = 60_000)
    @Option(
            names = "--deadline",
            paramLabel = "MS",
            description = "How long a request waits for a connection in all, not below the timeout, milliseconds."
                    + " Default: 1000, with --quick 750.")
    private @Nullable Integer deadlineMs;

    DirectoryLoad load(ScenarioOptions common, Sizes sizes, Refusal refusal) {
        int every = common.value(everyMs, 3000, 800);
        int longest = sizes.deadlineMs() + sizes.logMs();
        if (longest > every) {
            throw refusal.of(
                    "--every",
                    every,
                    "must not be below --deadline and --log together, " + longest + ": one burst would meet the next");
        }
        int steady = common.value(seconds, 20, 1);
        DirectoryLoad load =
                new DirectoryLoad(clients, rate, 1000 * steady, burstSize, every, common.value(bursts, 16, 1));
        if (load.requests() > MOST_REQUESTS) {
            throw refusal.of(
                    "--duration",
                    steady,
                    "with --clients " + clients + ", --rate " + rate + ", --bursts " + load.bursts()
                            + " and --burst-size " + burstSize + " makes " + load.requests()
                            + " requests; must not be more than " + MOST_REQUESTS + ": each one's latency is kept");
        }
        return load;
    }

    Sizes sizes(ScenarioOptions common, Refusal refusal) {
        Sizes sizes = new Sizes(
                common.value(base, 105, 32),
                common.value(ceiling, 150, 64),
                common.value(timeoutMs, 300, 250),
                common.value(deadlineMs, 1000, 750),
                common.value(logMs, 250, 50));
        if (sizes.ceiling() < sizes.base()) {
            throw refusal.of("--ceiling", sizes.ceiling(), "must not be below --base, " + sizes.base());
        }
        if (sizes.deadlineMs() < sizes.timeoutMs()) {
            throw refusal.of("--deadline", sizes.deadlineMs(), "must not be below --timeout, " + sizes.timeoutMs());
        }
        return sizes;
    }
}
