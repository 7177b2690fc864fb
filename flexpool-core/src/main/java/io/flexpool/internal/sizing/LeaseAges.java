// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import java.util.Arrays;

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
     * @param agesNanos one age per open lease, nanoseconds; the caller must not change the array afterwards
     */
    public static LeaseAges ofAges(long... agesNanos) {
        return agesNanos.length == 0 ? NONE : new LeaseAges(agesNanos);
    }

    /** Open leases. */
    public int count() {
        return agesNanos.length;
    }

    /**
     * The median of the ages up to a given age, nanoseconds; 0 without one. Not the mean: a few connections that do not
     * return would make all leases look long.
     */
    public long medianAgeNanos(long oldest) {
        long[] ages = new long[count() - olderThan(oldest)];
        int at = 0;
        for (long age : agesNanos) {
            if (age <= oldest) {
                ages[at++] = age;
            }
        }
        Arrays.sort(ages);
        return ages.length == 0 ? 0 : ages[ages.length / 2];
    }

    /** The number of leases older than an age, nanoseconds. */
    public int olderThan(long nanos) {
        int older = 0;
        for (long age : agesNanos) {
            older += age > nanos ? 1 : 0;
        }
        return older;
    }

    /** The sum of the ages, nanoseconds. */
    public long sum() {
        long sum = 0;
        for (long age : agesNanos) {
            sum += age;
        }
        return sum;
    }

    /** The mean age, nanoseconds; 0 without open leases. */
    long meanAgeNanos() {
        return sum() / Math.max(1, count());
    }

    /** The sum of the ages older than an age, nanoseconds. */
    long sumOlderThan(long nanos) {
        long sum = 0;
        for (long age : agesNanos) {
            sum += age > nanos ? age : 0;
        }
        return sum;
    }

    @Override
    public String toString() {
        return agesNanos.length + " open leases";
    }
}
