// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a pool costs that nobody uses. A number may fall freely; to raise one needs a reason beside it. */
@Timeout(300)
class IdlePoolTest {
    private static final List<String> OPTIONS = List.of("-XX:+UseSerialGC", "-Xmx256m");

    private static long figure(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name + " "))
                .mapToLong(line -> Long.parseLong(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    /** After a thousand calls by ten threads; without what all pools share. The history grows with the time, to 46 KiB at most. */
    @ParameterizedTest
    @CsvSource({"0, 46", "4, 46"})
    void anIdlePoolKeepsFewKibibytes(int base, long most) throws Exception {
        long kept = figure(OwnJvm.run(IdlePools.class, OPTIONS, Integer.toString(base), "0"), "kept-bytes");
        System.out.printf(Locale.ROOT, "an idle pool, limit %d: %.1f KiB of at most %d%n", base, kept / 1024.0, most);
        assertThat(kept).isBetween(1024L, most * 1024);
    }

    /** On a quiet machine: the goals are 40 ms for the first build, and 2 ms of processor time for a pool's idle minute. */
    @Test
    @Tag("scenario")
    void theFirstBuildAndAnIdleMinuteTakeLittleTime() throws Exception {
        List<String> lines = OwnJvm.run(IdlePools.class, OPTIONS, "4", "30");
        System.out.println(lines);
        assertThat(figure(lines, "first-build-micros")).isLessThan(40_000);
        assertThat(figure(lines, "idle-micros")).isLessThan(1_000);
    }
}
