// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.spi.LeaseSink.LeaseBlock;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One lease of a simulated application: times are milliseconds of a virtual clock; {@code first} is -1 without a statement. */
record Simulated(String site, long begin, long first, long last, long end, long waited) {
    private static final long MS = 1_000_000;

    /** When all ticks so far have passed. */
    boolean endedBy(long millis) {
        return end <= millis;
    }

    boolean openAt(long millis) {
        return begin < millis && end > millis;
    }

    /** The leases that ended since the tick before. */
    static LeaseBlock block(List<Simulated> all, long fromMillis, long toMillis, long originNanos, long unwanted) {
        List<Simulated> ended = all.stream()
                .filter(lease -> lease.endedBy(toMillis) && !lease.endedBy(fromMillis))
                .toList();
        return new Ended(ended, originNanos, originNanos + toMillis * MS, unwanted);
    }

    /** The leases that are open then. */
    static List<OpenLease> open(List<Simulated> all, long millis) {
        return all.stream()
                .filter(lease -> lease.openAt(millis))
                .<OpenLease>map(lease -> new OpenOne(lease, millis))
                .toList();
    }

    /** The most leases at once; deferred to their first statement, and with those without a statement, if that is wanted. */
    static int most(List<Simulated> all, boolean deferred, boolean without) {
        List<Simulated> counted =
                all.stream().filter(lease -> without || lease.first() >= 0).toList();
        long[] begins = counted.stream()
                .mapToLong(lease -> deferred && lease.first() >= 0 ? lease.first() : lease.begin())
                .sorted()
                .toArray();
        long[] ends = counted.stream().mapToLong(Simulated::end).sorted().toArray();
        int most = 0;
        int ended = 0;
        for (int at = 0; at < begins.length; at++) {
            while (ends[ended] <= begins[at]) {
                ended++;
            }
            most = Math.max(most, at + 1 - ended);
        }
        return most;
    }

    private record Ended(List<Simulated> leases, long originNanos, long takenNanos, long unwanted)
            implements LeaseBlock {
        @Override
        public int size() {
            return leases.size();
        }

        @Override
        public long arrivalNanos(int request) {
            return originNanos
                    + (leases.get(request).begin() - leases.get(request).waited()) * MS;
        }

        @Override
        public long waitNanos(int request) {
            return leases.get(request).waited() * MS;
        }

        @Override
        public long leaseNanos(int request) {
            return (leases.get(request).end() - leases.get(request).begin()) * MS;
        }

        @Override
        public AcquisitionOutcome outcome(int request) {
            return AcquisitionOutcome.OK;
        }

        @Override
        public String callSite(int request) {
            return leases.get(request).site();
        }

        @Override
        public int thread(int request) {
            return 1;
        }

        @Override
        public boolean nested(int request) {
            return false;
        }

        @Override
        public int demand() {
            return 0;
        }

        @Override
        public long lost() {
            return 0;
        }

        /** Half of the time between the first and the last is in the database. */
        @Override
        public double idleShare(int request, Phase phase) {
            Simulated lease = leases.get(request);
            double length = lease.end() - lease.begin();
            if (lease.first() < 0) {
                return Double.NaN;
            }
            return switch (phase) {
                case BEFORE -> (lease.first() - lease.begin()) / length;
                case BETWEEN -> (lease.last() - lease.first()) / (2 * length);
                case AFTER -> (lease.end() - lease.last()) / length;
            };
        }
    }

    private record OpenOne(Simulated lease, long millis) implements OpenLease {
        @Override
        public String thread() {
            return "worker";
        }

        @Override
        public long threadId() {
            return 1;
        }

        @Override
        public boolean virtualThread() {
            return false;
        }

        @Override
        public @Nullable String callSite() {
            return lease.site();
        }

        @Override
        public Duration age() {
            return Duration.ofMillis(millis - lease.begin());
        }

        @Override
        public Activity activity() {
            return began() ? Activity.IN_DATABASE : Activity.IDLE;
        }

        private boolean began() {
            return lease.first() >= 0 && lease.first() <= millis;
        }

        @Override
        public Duration inDatabase() {
            return began() ? Duration.ofMillis(millis - lease.first()) : Duration.ZERO;
        }

        @Override
        public @Nullable String statement() {
            return null;
        }

        @Override
        public boolean leakSuspected() {
            return false;
        }
    }
}
