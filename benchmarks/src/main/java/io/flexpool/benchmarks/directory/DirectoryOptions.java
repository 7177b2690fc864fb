// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import io.flexpool.benchmarks.kit.CountConverter;
import io.flexpool.benchmarks.kit.UpTo;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** How much load, on how large a pool. Defaults depend on whether the small form is selected. */
final class DirectoryOptions {
    private static final long MOST_REQUESTS = 2_000_000;

    @Option(
            names = "--duration",
            converter = UpToADay.class,
            paramLabel = "S",
            description = "The steady phase of each pool and variant, seconds. Default: 20, with --quick 1.")
    private @Nullable Integer seconds;

    @Option(
            names = "--bursts",
            converter = UpTo.AThousand.class,
            paramLabel = "N",
            description = "Bursts after the steady phase. Default: 16, with --quick 1.")
    private @Nullable Integer bursts;

    @Option(
            names = "--burst-size",
            converter = UpTo.AThousand.class,
            defaultValue = "100",
            paramLabel = "N",
            description = "Requests of one burst, all at once. Default: ${DEFAULT-VALUE}.")
    private int burstSize;

    @Option(
            names = "--every",
            converter = UpTo.MillisOfAMinute.class,
            paramLabel = "MS",
            description = "From one burst to the next, milliseconds. Default: 3000, with --quick 800.")
    private @Nullable Integer everyMs;

    @Option(
            names = "--clients",
            converter = UpTo.AHundred.class,
            defaultValue = "4",
            paramLabel = "N",
            description = "Clients. Default: ${DEFAULT-VALUE}.")
    private int clients;

    @Option(
            names = "--rate",
            converter = UpTo.AThousand.class,
            defaultValue = "100",
            paramLabel = "N",
            description = "Steady requests per second of each client. Default: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(
            names = "--log",
            converter = UpToASecond.class,
            paramLabel = "MS",
            description = "How long a request writes its log with its connection still out, milliseconds. Default:"
                    + " 250, with --quick 50.")
    private @Nullable Integer logMs;

    @Option(
            names = "--base",
            converter = UpToTwoHundred.class,
            paramLabel = "N",
            description = "Connections of a pool at first. Default: 105, with --quick 32.")
    private @Nullable Integer base;

    @Option(
            names = "--ceiling",
            converter = Ceiling.class,
            paramLabel = "N",
            description = "Connections of a grown pool, not below the base. Default: 150, with --quick 64.")
    private @Nullable Integer ceiling;

    @Option(
            names = "--timeout",
            converter = Timeout.class,
            paramLabel = "MS",
            description = "The acquisition timeout of one attempt, milliseconds, from 250, the least that HikariCP"
                    + " takes. Default: 300, with --quick 250.")
    private @Nullable Integer timeoutMs;

    @Option(
            names = "--deadline",
            converter = Timeout.class,
            paramLabel = "MS",
            description = "How long a request waits for a connection in all, not below the timeout, milliseconds."
                    + " Default: 1000, with --quick 750.")
    private @Nullable Integer deadlineMs;

    DirectoryLoad load(boolean quick, Sizes sizes, CommandLine commandLine) {
        int every = given(everyMs, quick ? 800 : 3000);
        int longest = sizes.deadlineMs() + sizes.logMs();
        if (longest > every) {
            throw refused(
                    commandLine,
                    "--every",
                    every,
                    "must not be below --deadline and --log together, " + longest + ": one burst would meet the next");
        }
        int steadyMs = 1000 * given(seconds, quick ? 1 : 20);
        DirectoryLoad load =
                new DirectoryLoad(clients, rate, steadyMs, burstSize, every, given(bursts, quick ? 1 : 16));
        if (load.requests() > MOST_REQUESTS) {
            throw new ParameterException(
                    commandLine,
                    "Invalid value for option '--duration': '" + steadyMs / 1000 + "' with --clients " + clients
                            + ", --rate " + rate + ", --bursts " + load.bursts() + " and --burst-size " + burstSize
                            + " makes " + load.requests() + " requests; must not be more than " + MOST_REQUESTS
                            + ": each one's latency is kept");
        }
        return load;
    }

    Sizes sizes(boolean quick, CommandLine commandLine) {
        Sizes sizes = new Sizes(
                given(base, quick ? 32 : 105),
                given(ceiling, quick ? 64 : 150),
                given(timeoutMs, quick ? 250 : 300),
                given(deadlineMs, quick ? 750 : 1000),
                given(logMs, quick ? 50 : 250));
        if (sizes.ceiling() < sizes.base()) {
            throw refused(commandLine, "--ceiling", sizes.ceiling(), "must not be below --base, " + sizes.base());
        }
        if (sizes.deadlineMs() < sizes.timeoutMs()) {
            throw refused(
                    commandLine, "--deadline", sizes.deadlineMs(), "must not be below --timeout, " + sizes.timeoutMs());
        }
        return sizes;
    }

    private static int given(@Nullable Integer value, int otherwise) {
        return value == null ? otherwise : value;
    }

    private static ParameterException refused(CommandLine commandLine, String option, int value, String rule) {
        return new ParameterException(
                commandLine, "Invalid value for option '" + option + "': '" + value + "' " + rule);
    }

    static final class UpToADay extends CountConverter {
        UpToADay() {
            super(86_400);
        }
    }

    /** The server has 300 connections, and one pool is closed while the next one opens. */
    static final class UpToTwoHundred extends CountConverter {
        UpToTwoHundred() {
            super(200);
        }
    }

    /** flexpool's least ceiling is 2. */
    static final class Ceiling extends CountConverter {
        Ceiling() {
            super(2, 200);
        }
    }

    static final class UpToASecond extends CountConverter {
        UpToASecond() {
            super(0, 1000);
        }
    }

    static final class Timeout extends CountConverter {
        Timeout() {
            super(250, 60_000);
        }
    }
}
