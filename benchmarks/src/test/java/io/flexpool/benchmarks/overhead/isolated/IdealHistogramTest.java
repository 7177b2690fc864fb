// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead.isolated;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

/** The unit of the comparison is a floor: where it had fewer stripes than flexpool, it paid for what flexpool avoids. */
class IdealHistogramTest {
    @Test
    void theFloorHasAsManyStripesAsTheRecorder() throws ReflectiveOperationException {
        Method recorders = Class.forName("io.flexpool.internal.record.Stripes").getDeclaredMethod("count");
        recorders.setAccessible(true);

        assertThat(new IdealHistogram().stripes()).isEqualTo(recorders.invoke(null));
    }
}
