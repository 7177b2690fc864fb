// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.pool.HistogramSnapshot;

/**
 * From a duration to its bucket, by the law of {@link HistogramSnapshot}.
 *
 * <p>The bounds are powers of 2^(1/8) <em>seconds</em>, because that is the unit in which OpenTelemetry and Prometheus
 * want them: 10^9 is no power of 2^(1/8), so buckets over nanoseconds could not be copied. The nanoseconds become a
 * double in seconds (the product is off by less than the distance of any whole number of nanoseconds from any bound, which
 * the test shows for every bound); its exponent gives the power of two, the top
 * five bits of its mantissa look up the eighth, and one comparison mends the lookup where a bound falls inside that
 * range. No logarithm, exact at every bound.
 */
final class Buckets {
    private static final int MANTISSA_BITS = 52;
    private static final long MANTISSA = (1L << MANTISSA_BITS) - 1;
    private static final int LOOKUP_BITS = 5;

    /** At i: the mantissa bits of the largest double that is not above 2^(i/8); the last entry is never reached. */
    private static final long[] BOUNDS = {
        0L,
        mantissaOf("1.0905077326652576592"),
        mantissaOf("1.1892071150027210667"),
        mantissaOf("1.2968395546510096659"),
        mantissaOf("1.4142135623730950488"),
        mantissaOf("1.5422108254079408236"),
        mantissaOf("1.6817928305074290861"),
        mantissaOf("1.8340080864093424635"),
        Long.MAX_VALUE
    };

    /** Top mantissa bits to the eighth in which that range begins. */
    private static final byte[] EIGHTH = new byte[1 << LOOKUP_BITS];

    static {
        for (int top = 0; top < EIGHTH.length; top++) {
            long start = (long) top << (MANTISSA_BITS - LOOKUP_BITS);
            int eighth = 0;
            while (start >= BOUNDS[eighth + 1]) {
                eighth++;
            }
            EIGHTH[top] = (byte) eighth;
        }
    }

    private Buckets() {}

    /**
     * The position of a duration's bucket, from 0.
     *
     * @param nanos any number; below 1 counts as 1
     * @return OpenTelemetry's index less {@link HistogramSnapshot#FIRST_INDEX}
     */
    static int position(long nanos) {
        if (nanos < 1) {
            return 0;
        }
        // Upper bounds are inclusive: one step down turns (a, b] into [a, b).
        long bits = Double.doubleToRawLongBits(nanos * 1e-9) - 1;
        int exponent = (int) (bits >>> MANTISSA_BITS) - 1023;
        long mantissa = bits & MANTISSA;
        int eighth = EIGHTH[(int) (mantissa >>> (MANTISSA_BITS - LOOKUP_BITS))];
        if (mantissa >= BOUNDS[eighth + 1]) {
            eighth++;
        }
        int position = exponent * 8 + eighth - HistogramSnapshot.FIRST_INDEX;
        return Math.min(position, HistogramSnapshot.BUCKETS - 1);
    }

    private static long mantissaOf(String decimal) {
        java.math.BigDecimal exact = new java.math.BigDecimal(decimal);
        double nearest = exact.doubleValue();
        double below = new java.math.BigDecimal(nearest).compareTo(exact) > 0 ? Math.nextDown(nearest) : nearest;
        return Double.doubleToRawLongBits(below) & MANTISSA;
    }
}
