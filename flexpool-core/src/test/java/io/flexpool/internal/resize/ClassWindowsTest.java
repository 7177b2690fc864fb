// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.gate.AcquisitionOrder;
import io.flexpool.internal.gate.ClassGate;
import io.flexpool.internal.gate.ClassShare;
import io.flexpool.internal.sizing.PoolWindow.OfClass;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClassWindowsTest {
    private final ClassGate gate = new ClassGate(
            3,
            () -> 0,
            AcquisitionOrder.FAIR,
            List.of(new ClassShare(0.5, Integer.MAX_VALUE), new ClassShare(0.5, Integer.MAX_VALUE)),
            false);
    private final ClassWindows windows = new ClassWindows(gate);

    @Test
    void whatIsThereIsWhatHoldsAndWhatWaits() {
        gate.gate().tryEnter(0, 0, false);
        gate.gate().tryEnter(0, 1, false);
        gate.gate().tryEnter(0, 1, false);
        gate.join(0, 1, false, Long.MAX_VALUE);

        assertThat(windows.next(new long[4])).containsExactly(new OfClass(1, 0, 0, 1), new OfClass(3, 0, 0, 3));
    }

    @Test
    void arrivalsAreWhatEndedAndWhatIsThereMore() {
        gate.gate().tryEnter(0, 0, false);
        windows.next(new long[] {7, 70, 0, 0});
        gate.gate().exit(0, 5, 0);
        gate.gate().tryEnter(0, 1, false);

        assertThat(windows.next(new long[] {9, 95, 1, 40}))
                .containsExactly(new OfClass(1, 2, 25, 0), new OfClass(2, 1, 40, 1));
        assertThat(windows.next(new long[] {9, 95, 1, 40}))
                .containsExactly(new OfClass(0, 0, 0, 0), new OfClass(0, 0, 0, 1));
    }
}
