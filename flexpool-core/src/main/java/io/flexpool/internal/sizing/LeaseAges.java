// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

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
        long[] ages = new long[agesNanos.length];
        int counted = 0;
        for (long age : agesNanos) {
            if (age <= oldest) {
                ages[counted++] = age;
            }
        }
        return counted == 0 ? 0 : select(ages, counted, counted / 2);
    }

    /** The k-th smallest, by Hoare's selection: all are not sorted for one. */
    private static long select(long[] ages, int size, int k) {
        int low = 0;
        int high = size - 1;
        while (low < high) {
            long pivot = ages[(low + high) >>> 1];
            int left = low;
            int right = high;
            while (left <= right) {
                while (ages[left] < pivot) {
                    left++;
                }
                while (ages[right] > pivot) {
                    right--;
                }
                if (left <= right) {
                    long swapped = ages[left];
                    ages[left++] = ages[right];
                    ages[right--] = swapped;
                }
            }
            if (k <= right) {
                high = right;
            } else if (k >= left) {
                low = left;
            } else {
                return ages[k];
            }
        }
        return ages[k];
    }

    /** How many are older than an age, nanoseconds. */
    public int olderThan(long nanos) {
        int older = 0;
        for (long age : agesNanos) {
            if (age > nanos) {
                older++;
            }
        }
        return older;
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
