// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class HeldMeterTest {
    @Test
    void theMeanIsWeightedByTime() {
        AtomicInteger number = new AtomicInteger(10);
        HeldMeter meter = HeldMeter.start(number::get);
        park(200);
        number.set(20);
        park(200);
        meter.close();

        // Both for about as long; a machine that stops for a while shifts it, but never out of the two.
        assertThat(meter.mean()).isStrictlyBetween(10.0, 20.0);
    }

    private static void park(long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        long left;
        while ((left = end - System.nanoTime()) > 0) {
            LockSupport.parkNanos(left);
        }
    }
}
