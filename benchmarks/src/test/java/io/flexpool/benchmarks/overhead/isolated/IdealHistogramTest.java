// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead.isolated;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.kit.AnsweringJvm;
import io.flexpool.benchmarks.kit.FreshJvm;
import java.io.IOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The unit of the comparison is a floor: where it had fewer stripes than flexpool, it paid for what flexpool avoids. */
class IdealHistogramTest {
    /** Answers how many stripes flexpool has, and how many the floor. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) {
            AnsweringJvm.answer(() -> flexpools() + " " + new IdealHistogram().stripes());
        }
    }

    private static int flexpools() throws ReflectiveOperationException {
        Method count =
                Class.forName("io.flexpool.internal.record.StripedCounter").getDeclaredMethod("stripes");
        count.setAccessible(true);
        return (Integer) count.invoke(null);
    }

    @Test
    void theFloorHasAsManyStripesAsTheRecorder() throws ReflectiveOperationException {
        assertThat(new IdealHistogram().stripes()).isEqualTo(flexpools());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 16, 64})
    void soItHasWithAnyNumberOfProcessors(int processors) throws IOException, InterruptedException {
        FreshJvm jvm = new FreshJvm(Program.class).options(List.of("-XX:ActiveProcessorCount=" + processors));

        String[] counts = AnsweringJvm.ask("stripes", jvm, Duration.ofMinutes(1), () -> false, news -> {})
                .orElseThrow()
                .split(" ", -1);

        assertThat(counts[1]).isEqualTo(counts[0]);
    }
}
