// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advisor.LeaseTrace.Ending;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;

/** Traces of known processes. */
final class Traces {
    static final long MS = 1_000_000;
    static final long SECOND = 1_000 * MS;

    private Traces() {}

    /** Poisson arrivals; what each waits in a pool of so many connections is part of the record. */
    static LeaseTrace poisson(
            long seed, Duration span, double perSecond, int connections, ToLongFunction<SplittableRandom> lease) {
        SplittableRandom random = new SplittableRandom(seed);
        LeaseTrace.Builder trace = LeaseTrace.builder();
        long[] free = new long[connections];
        long at = 0;
        while (at < span.toNanos()) {
            at += (long) (-Math.log(1 - random.nextDouble()) / perSecond * SECOND);
            int first = 0;
            for (int each = 1; each < connections; each++) {
                first = free[each] < free[first] ? each : first;
            }
            long start = Math.max(at, free[first]);
            long length = lease.applyAsLong(random);
            free[first] = start + length;
            trace.add(at, start - at, length, Ending.RELEASED, "shop.Orders.find", 0);
        }
        return trace.build();
    }

    static ToLongFunction<SplittableRandom> exponential(double meanMs) {
        return random -> (long) (-Math.log(1 - random.nextDouble()) * meanMs * MS);
    }

    static ToLongFunction<SplittableRandom> fixed(double ms) {
        return random -> (long) (ms * MS);
    }

    /** A pool that is never asked for less than it has: each connection has one lease after the other, with short gaps. */
    static LeaseTrace full(int connections, Duration span, ToLongFunction<SplittableRandom> lease) {
        SplittableRandom random = new SplittableRandom(5);
        ToLongFunction<SplittableRandom> gap = exponential(2);
        LeaseTrace.Builder trace = LeaseTrace.builder();
        for (int connection = 0; connection < connections; connection++) {
            long start = 0;
            while (start < span.toNanos()) {
                long length = lease.applyAsLong(random);
                long waited = Math.min(start, 30 * MS);
                trace.add(start - waited, waited, length, Ending.RELEASED, "shop.Orders.find", 0);
                start += length + gap.applyAsLong(random);
            }
        }
        return trace.build();
    }
}
