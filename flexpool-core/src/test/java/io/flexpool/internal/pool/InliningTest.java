// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The second compiler inlines all of flexpool that a call passes. Twice the hot methods had grown over its limit of 325 bytes, and
 * nothing but the time of a call showed it.
 */
@Timeout(300)
class InliningTest {
    private static final List<String> OPTIONS = List.of(
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:+PrintCompilation",
            "-XX:+PrintInlining",
            "-XX:-TieredCompilation",
            "-XX:-BackgroundCompilation",
            "-XX:CICompilerCount=1",
            "-Xmx128m");

    /** A new octave of durations, a record, a sampled call site, a failed request: not a part of each call. */
    private static final Pattern RARE = Pattern.compile(
            "SlotRecords\\$Blocks::with|SlotRecords::(longer|shorter)|LeaseTracker::sampled|AcquiringPool::undo");

    /** What the compiler did not inline because of its size. */
    private static List<String> tooBig(String kind, String... more) throws IOException, InterruptedException {
        List<String> options = Stream.concat(OPTIONS.stream(), Stream.of(more)).toList();
        List<String> lines = OwnJvm.run(InlinedCycles.class, options, kind);
        // Which method is compiled first, and so on its own, differs from run to run.
        long inlined = lines.stream()
                .filter(line -> line.contains("io.flexpool.") && line.contains("inline (hot)"))
                .count();
        assertThat(inlined).as("calls of flexpool that were inlined").isGreaterThan(20);
        assertThat(lines)
                .as("what was compiled")
                .anyMatch(line -> line.contains("FlexPoolDataSource::getConnection"))
                .anyMatch(line -> line.contains("internal.pool.AcquiringPool::ended"));
        return lines.stream()
                .filter(line -> line.contains("io.flexpool.") && line.contains("too big"))
                .filter(line ->
                        line.contains("hot method") || !RARE.matcher(line).find())
                .map(String::strip)
                .distinct()
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"watched", "bound", "classed"})
    void nothingOnTheWayOfACallIsTooBig(String kind) throws Exception {
        assertThat(tooBig(kind)).isEmpty();
    }

    /** The control: the same JVM with a smaller limit of the compiler. */
    @Test
    void belowASmallerLimitSomethingIsTooBig() throws Exception {
        assertThat(tooBig("classed", "-XX:FreqInlineSize=50")).isNotEmpty();
    }
}
