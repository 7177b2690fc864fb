// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.monitoring.HistogramSnapshot;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HistogramPositionTest {
    private static final MathContext EXACT = new MathContext(40);
    private static final BigDecimal EIGHTH_ROOT =
            new BigDecimal(2).sqrt(EXACT).sqrt(EXACT).sqrt(EXACT);

    /** 2^(index/8) seconds in nanoseconds, to 40 digits: not by the code under test. */
    private static BigDecimal boundNanos(int index) {
        BigDecimal power = EIGHTH_ROOT.pow(Math.floorMod(index, 8), EXACT);
        int twos = Math.floorDiv(index, 8);
        BigDecimal two = new BigDecimal(2);
        BigDecimal scale = twos >= 0 ? two.pow(twos) : BigDecimal.ONE.divide(two.pow(-twos), EXACT);
        return power.multiply(scale, EXACT).multiply(new BigDecimal(1_000_000_000), EXACT);
    }

    @Test
    void everyBoundIsExactAndInclusiveAbove() {
        for (int position = 1; position < HistogramSnapshot.BUCKETS; position++) {
            int index = position + HistogramSnapshot.FIRST_INDEX;
            BigDecimal lower = boundNanos(index);
            long notAbove = lower.toBigInteger().longValueExact();
            if (notAbove < 1) {
                continue;
            }
            assertThat(SlotRecords.position(notAbove))
                    .as("%d ns, at or below bound %d", notAbove, index)
                    .isLessThan(position);
            assertThat(SlotRecords.position(notAbove + 1))
                    .as("%d ns, above bound %d", notAbove + 1, index)
                    .isGreaterThanOrEqualTo(position);
        }
    }

    @Test
    void anExactPowerOfTwoSecondsBelongsToTheBucketBelow() {
        int oneSecond = SlotRecords.position(1_000_000_000L) + HistogramSnapshot.FIRST_INDEX;
        assertThat(oneSecond).isEqualTo(-1);
        assertThat(HistogramSnapshot.upperBoundSeconds(oneSecond)).isEqualTo(1.0);
        assertThat(SlotRecords.position(1_000_000_001L) + HistogramSnapshot.FIRST_INDEX)
                .isZero();
    }

    @Test
    void theMiddleIsNeverMoreThanFourAndAHalfPercentOff() {
        Random random = new Random(1);
        for (int round = 0; round < 200_000; round++) {
            long nanos = 1 + (long) Math.exp(random.nextDouble() * Math.log(1e14));
            double middle = HistogramSnapshot.middleNanos(SlotRecords.position(nanos) + HistogramSnapshot.FIRST_INDEX);
            assertThat(Math.abs(middle - nanos) / nanos).as("%d ns", nanos).isLessThan(0.045);
        }
    }

    @Test
    void theEndsAreClamped() {
        assertThat(SlotRecords.position(Long.MIN_VALUE)).isZero();
        assertThat(SlotRecords.position(0)).isZero();
        assertThat(SlotRecords.position(1)).isZero();
        assertThat(SlotRecords.position(Long.MAX_VALUE)).isEqualTo(HistogramSnapshot.BUCKETS - 1);
    }
}
