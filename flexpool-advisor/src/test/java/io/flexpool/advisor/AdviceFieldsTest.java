// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.flexpool.advice.ClassAdvice;
import io.flexpool.advice.PoolAdvice;
import io.flexpool.advice.PoolAdvice.Status;
import io.flexpool.advice.SizeAdvice;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** How many connections a pool needs, as the endpoint shows it: each figure under its own name. */
class AdviceFieldsTest {
    record Size(
            Verdict verdict,
            int connections,
            int minIdle,
            Duration timeout,
            Confidence confidence,
            List<At> curve,
            int current,
            Duration waitTarget,
            long requests,
            long timedOut,
            Duration span,
            int demandMax,
            int demandP99,
            int demandP50,
            List<String> notes,
            String text,
            List<Needs> classes)
            implements SizeAdvice {}

    private record Needs(
            String name,
            long requests,
            long timedOut,
            int demandMax,
            int demandP99,
            Duration waitP99,
            int needed,
            int guaranteed,
            OptionalInt max,
            Fit guaranteeFit,
            Fit maxFit,
            String text)
            implements ClassAdvice {}

    private record At(int connections, long p50Nanos, long p99Nanos, long p999Nanos, double timedOut)
            implements SizeAdvice.Point {}

    private static final Size SIZE = new Size(
            SizeAdvice.Verdict.FEWER,
            8,
            3,
            Duration.ofMillis(250),
            SizeAdvice.Confidence.HIGH,
            List.of(new At(7, 1_000_000, 2_500_000, 4_000_000, 0.125)),
            30,
            Duration.ofMillis(10),
            412_000,
            5,
            Duration.ofHours(26),
            11,
            9,
            2,
            List.of(),
            "8 would\nbe enough",
            List.of(new Needs(
                    "batch",
                    51_000,
                    7,
                    14,
                    12,
                    Duration.ofMillis(2_300),
                    9,
                    5,
                    OptionalInt.of(8),
                    ClassAdvice.Fit.LOW,
                    ClassAdvice.Fit.FITS,
                    "the text has it")));

    @Test
    void eachFigureHasItsName() {
        assertThat(AdviceFields.of(PoolAdvice.of(SIZE, Instant.ofEpochMilli(1_234))))
                .containsExactly(
                        entry("status", "ready"),
                        entry("text", "8 would be enough"),
                        entry("madeAtEpochMillis", 1_234L),
                        entry("verdict", "fewer"),
                        entry("confidence", "high"),
                        entry("connections", 8),
                        entry("current", 30),
                        entry("minIdle", 3),
                        entry("timeoutMillis", 250L),
                        entry("waitTargetMillis", 10.0),
                        entry("requests", 412_000L),
                        entry("timedOut", 5L),
                        entry("spanSeconds", 93_600L),
                        entry("demandMax", 11),
                        entry("demandP99", 9),
                        entry("demandP50", 2),
                        entry(
                                "curve",
                                List.of(Map.of(
                                        "connections", 7,
                                        "p50Millis", 1.0,
                                        "p99Millis", 2.5,
                                        "p999Millis", 4.0,
                                        "timedOutShare", 0.125))),
                        entry(
                                "classes",
                                List.of(Map.ofEntries(
                                        entry("name", "batch"),
                                        entry("requests", 51_000L),
                                        entry("timedOut", 7L),
                                        entry("demandMax", 14),
                                        entry("demandP99", 12),
                                        entry("waitP99Millis", 2_300.0),
                                        entry("needed", 9),
                                        entry("guaranteed", 5),
                                        entry("guaranteeFit", "low"),
                                        entry("max", 8),
                                        entry("mostFit", "fits")))));
    }

    @Test
    void withoutAnAdviceThereIsTheReason() {
        assertThat(AdviceFields.of(PoolAdvice.without(Status.OFF, "which artifact")))
                .containsExactly(entry("status", "off"), entry("text", "which artifact"));
    }
}
