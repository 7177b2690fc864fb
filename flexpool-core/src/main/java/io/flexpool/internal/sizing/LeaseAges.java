// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import java.util.stream.LongStream;

/** The ages of the open leases. Immutable. */
public final class LeaseAges {
    /** No lease is open. */
    public static final LeaseAges NONE = new LeaseAges(new long[0]);

    private final long[] agesNanos;

    private LeaseAges(long[] agesNanos) {
        this.agesNanos = agesNanos;
    }

    /**
     * Takes the ages, in any order.
     *
     * @param agesNanos one per open lease, nanoseconds; handed over: the caller changes it no more
     */
    public static LeaseAges ofAges(long... agesNanos) {
        return agesNanos.length == 0 ? NONE : new LeaseAges(agesNanos);
    }

    /** Open leases. */
    public int count() {
        return agesNanos.length;
    }

    /**
     * The median of their ages, those older than an age left out, nanoseconds; 0 if that leaves none. Not the mean: a
     * few connections that do not come back would make all leases look long.
     */
    public long medianAgeNanos(long oldest) {
        long[] ages =
                LongStream.of(agesNanos).filter(age -> age <= oldest).sorted().toArray();
        return ages.length == 0 ? 0 : ages[ages.length / 2];
    }

    /** How many are older than an age, nanoseconds. */
    public int olderThan(long nanos) {
        return (int) LongStream.of(agesNanos).filter(age -> age > nanos).count();
    }

    /** The sum of the ages older than an age, nanoseconds. */
    long sumOlderThan(long nanos) {
        return LongStream.of(agesNanos).filter(age -> age > nanos).sum();
    }

    @Override
    public String toString() {
        return agesNanos.length + " open leases";
    }
}
