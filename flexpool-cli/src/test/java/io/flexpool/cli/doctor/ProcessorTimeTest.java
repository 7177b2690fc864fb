// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flexpool.cli.LogInput;
import io.flexpool.diagnostics.Explanation.Cause;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process whose threads wait for processors. */
class ProcessorTimeTest {
    @TempDir
    private Path folder;

    private void task(String thread, String figures) throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve(thread)).resolve("schedstat"), figures);
    }

    private static ProcessorTime time(long overMillis, long ranMillis, long waitedMillis) {
        return new ProcessorTime(
                Duration.ofMillis(overMillis), Duration.ofMillis(ranMillis), Duration.ofMillis(waitedMillis));
    }

    private static Diagnosis.Answer answer(String dumps, ProcessorTime time) {
        Evidence evidence = new Evidence();
        evidence.read(
                Path.of("src/test/resources/doctor", dumps + ".txt.gz"),
                new LogInput(() -> InputStream.nullInputStream()));
        evidence.add(time);
        return new Diagnosis(evidence).answer();
    }

    /** Threads that began or ended in between are in one of them only. */
    @Test
    void whatHappenedBetweenTwoReadingsIsCounted() throws IOException {
        task("11", "1000000 5000000 3\n");
        task("12", "7000000 7000000 3\n");
        ProcessorTime.Reading before = ProcessorTime.of(folder, 0);
        task("11", "3000000 9000000 4\n");
        task("13", "90000000 90000000 3\n");
        Files.delete(folder.resolve("12").resolve("schedstat"));
        ProcessorTime.Reading after = ProcessorTime.of(folder, 1_000_000_000);
        assertThat(before).isNotNull();
        assertThat(after).isNotNull();
        assertThat(after.since(before)).isEqualTo(time(1_000, 2, 4));
        assertThat(ProcessorTime.of(folder.resolve("none"), 0)).isNull();
    }

    @Test
    void linuxHasTheFiguresOfThisProcess() {
        assumeTrue(Files.exists(Path.of("/proc/self/schedstat")), "this system has no such figures");
        ProcessorTime.Reading before = ProcessorTime.of(ProcessHandle.current().pid());
        long end = System.nanoTime() + 100_000_000;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        ProcessorTime.Reading after = ProcessorTime.of(ProcessHandle.current().pid());
        assertThat(before).isNotNull();
        assertThat(after).isNotNull();
        assertThat(after.since(before).ran()).isPositive();
    }

    @ParameterizedTest
    @CsvSource({"1000, 1900, 8000, true", "1000, 100, 2000, true", "1000, 1900, 1500, false", "1000, 10, 900, false"})
    void moreThreadsWaitThanRun(long over, long ran, long waited, boolean starved) {
        assertThat(time(over, ran, waited).isStarved()).isEqualTo(starved);
    }

    /** More threads of the application would wait for the same processors. */
    @Test
    void demandOfAStarvedProcessIsNoCause() {
        assertThat(answer("demand", time(1_000, 1_900, 100)).cause()).isEqualTo(Cause.DEMAND);
        Diagnosis.Answer starved = answer("demand", time(1_000, 1_900, 8_000));
        assertThat(starved.cause()).isNull();
        assertThat(starved.evidence())
                .contains("in 1.0 s the threads of the process ran for 1.9 s, and waited for a processor for 8.0 s");
        assertThat(starved.advice()).startsWith("A larger pool would not help while threads wait for a processor.");
    }

    @Test
    void otherCausesStay() {
        Diagnosis.Answer starved = answer("http", time(1_000, 1_900, 8_000));
        assertThat(starved.cause()).isEqualTo(Cause.HELD_IDLE);
        assertThat(starved.evidence().toString()).contains("waited for a processor for 8.0 s");
    }
}
