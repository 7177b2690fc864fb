// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import io.flexpool.benchmarks.kit.Range;
import io.flexpool.benchmarks.kit.Subcommand.Refusal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How much load, on how large a pool. The defaults are the figures that the goals are stated for. */
final class BurstOptions {
    @Range(max = 1_000)
    @Option(names = "--bursts", defaultValue = "20", description = "Bursts for each pool and variant.")
    private int bursts;

    @Range(max = 1_000)
    @Option(names = "--burst-size", defaultValue = "100", description = "Requests of one burst, all at once.")
    private int burstSize;

    @Range(max = 60_000)
    @Option(
            names = "--every",
            defaultValue = "2000",
            paramLabel = "MS",
            description = "From one burst to the next, milliseconds.")
    private int everyMs;

    @Range(max = 1_000)
    @Option(names = "--rate", defaultValue = "50", description = "Steady requests per second.")
    private int rate;

    @Range(max = 60_000)
    @Option(
            names = "--hold",
            defaultValue = "100",
            paramLabel = "MS",
            description = "How long a request keeps its connection, milliseconds.")
    private int holdMs;

    @Range(max = 1_000)
    @Option(names = "--base", defaultValue = "20", description = "Connections of a pool at first.")
    private int base;

    @Range(min = 2, max = 1_000)
    @Option(names = "--ceiling", defaultValue = "25", description = "Connections of a grown pool, not below the base.")
    private int ceiling;

    @Range(min = 250, max = 60_000)
    @Option(
            names = "--timeout",
            defaultValue = "250",
            paramLabel = "MS",
            description = "The acquisition timeout of one attempt, milliseconds. Default: ${DEFAULT-VALUE}, the least"
                    + " that HikariCP takes.")
    private int timeoutMs;

    @Range(min = 250, max = 60_000)
    @Option(
            names = "--deadline",
            defaultValue = "500",
            paramLabel = "MS",
            description = "The deadline of a whole request, not below the timeout, milliseconds.")
    private int deadlineMs;

    @Option(
            names = "--keep",
            converter = Keep.class,
            defaultValue = "500",
            paramLabel = "MS",
            description = "How long flexpool keeps growth that is not needed, milliseconds, or 'default' for its"
                    + " gradual return.")
    private Keep.Value keep = new Keep.Value(500);

    @Range(min = 0, max = 10_000)
    @Option(
            names = "--connect",
            defaultValue = "5",
            paramLabel = "MS",
            description = "How long a connect to the stub takes, milliseconds.")
    private int connectMs;

    @Range(min = 0, max = 100)
    @Option(
            names = "--warm-up",
            defaultValue = "1",
            description = "Short loads of each pool and variant before any is measured, so that the code is compiled.")
    private int warmUp;

    @Option(names = "--seed", defaultValue = "1", description = "Of the order in which pools and variants run.")
    private long seed;

    BurstLoad load(Refusal refusal) {
        if (deadlineMs + holdMs > everyMs) {
            throw refusal.of(
                    "--every",
                    everyMs,
                    "must not be below --deadline and --hold together, " + (deadlineMs + holdMs)
                            + ": one burst would meet the next");
        }
        return new BurstLoad(rate, burstSize, everyMs, holdMs, bursts);
    }

    Sizes sizes(Refusal refusal) {
        if (ceiling < base) {
            throw refusal.of("--ceiling", ceiling, "must not be below --base, " + base);
        }
        if (deadlineMs < timeoutMs) {
            throw refusal.of("--deadline", deadlineMs, "must not be below --timeout, " + timeoutMs);
        }
        return new Sizes(base, ceiling, timeoutMs, deadlineMs, keep.ms());
    }

    int warmUp() {
        return warmUp;
    }

    int connectMs() {
        return connectMs;
    }

    long seed() {
        return seed;
    }

    /** A number of milliseconds, or the word for none. */
    static final class Keep implements ITypeConverter<Keep.Value> {
        private static final String GRADUAL = "default";
        private static final int MOST = 600_000;

        /** What was given; no number for the gradual return. */
        record Value(@Nullable Integer ms) {}

        @Override
        public Value convert(String value) {
            if (value.equals(GRADUAL)) {
                return new Value(null);
            }
            try {
                int ms = Integer.parseInt(value);
                if (ms >= 0 && ms <= MOST) {
                    return new Value(ms);
                }
            } catch (NumberFormatException e) {
                // Refused below, as a number out of range is.
            }
            throw new TypeConversionException(
                    "'" + value + "' must be '" + GRADUAL + "' or a whole number from 0 to " + MOST);
        }
    }
}
