// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

import io.flexpool.benchmarks.kit.Range;
import java.time.Duration;
import java.util.function.Function;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What the clients do. The defaults are those of the published figures. */
final class TailOptions {
    /** Far below HikariCP's timeout of 30 s, and below the time after which the bound pool of these measurements grows. */
    private static final Duration MOST_EXPECTED = Duration.ofSeconds(1);

    @Range(max = 1_000)
    @Option(names = "--threads", defaultValue = "16", description = "Clients.")
    private int threads;

    @Range(max = 1_000)
    @Option(names = "--pool", defaultValue = "4", description = "Connections.")
    private int pool;

    @Option(
            names = "--hold",
            converter = UpToASecond.class,
            defaultValue = "1ms",
            paramLabel = "TIME",
            description = "How long a client keeps its connection without using a processor. With 0, and without the"
                    + " next two, throughput is the figure, and one in 64 requests is timed.")
    private int holdMicros;

    @Option(
            names = "--burn-held",
            converter = UpToATenth.class,
            defaultValue = "0",
            paramLabel = "TIME",
            description = "Processor time that a client uses while it keeps its connection, in addition to --hold.")
    private int burnHeldMicros;

    @Option(
            names = "--burn-between",
            converter = UpToATenth.class,
            defaultValue = "0",
            paramLabel = "TIME",
            description = "Processor time that a client uses between two leases.")
    private int burnBetweenMicros;

    @Range(max = 3_600)
    @Option(
            names = "--warm-up",
            defaultValue = "2",
            paramLabel = "S",
            description = "How long each JVM runs before anything counts, seconds.")
    private int warmUp;

    @Range(max = 3_600)
    @Option(
            names = "--seconds",
            defaultValue = "9",
            paramLabel = "S",
            description = "The length of one window, seconds.")
    private int seconds;

    @Range(max = 100)
    @Option(names = "--repeat", defaultValue = "1", description = "Windows of each JVM.")
    private int repeat;

    TailLoad load(Function<String, ParameterException> refused) {
        TailLoad load =
                new TailLoad(threads, pool, holdMicros, burnHeldMicros, burnBetweenMicros, warmUp, seconds, repeat);
        Duration expected = load.expectedWait(Runtime.getRuntime().availableProcessors());
        if (expected.compareTo(MOST_EXPECTED) > 0) {
            throw refused.apply(
                    "Options '--threads', '--pool', '--hold', '--burn-held' and '--burn-between' together make a request"
                            + " wait for " + expected.toMillis() + " ms on the average; must not be more than "
                            + MOST_EXPECTED.toMillis() + ": requests would time out, and pools would grow");
        }
        return load;
    }

    static final class UpToASecond extends MicrosConverter {
        UpToASecond() {
            super(1_000);
        }
    }

    static final class UpToATenth extends MicrosConverter {
        UpToATenth() {
            super(100);
        }
    }
}
