// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.spi.LeaseSink.LeaseBlock;
import java.util.List;

/** A block of a test's own. */
record Block(List<Request> requests, long lost) implements LeaseBlock {
    /** What one request did. */
    record Request(
            long arrivalNanos,
            long waitNanos,
            long leaseNanos,
            AcquisitionOutcome outcome,
            String callSite,
            int thread,
            boolean nested) {
        /** One that was served. */
        static Request served(long arrivalNanos, long waitNanos, long leaseNanos) {
            return new Request(
                    arrivalNanos, waitNanos, leaseNanos, AcquisitionOutcome.OK, "shop.Orders.find", 0, false);
        }

        static Request failed(long arrivalNanos, long waitNanos, AcquisitionOutcome outcome) {
            return new Request(arrivalNanos, waitNanos, 0, outcome, "", 0, false);
        }
    }

    static Block of(Request... requests) {
        return new Block(List.of(requests), 0);
    }

    @Override
    public int size() {
        return requests.size();
    }

    @Override
    public long arrivalNanos(int request) {
        return requests.get(request).arrivalNanos();
    }

    @Override
    public long waitNanos(int request) {
        return requests.get(request).waitNanos();
    }

    @Override
    public long leaseNanos(int request) {
        return requests.get(request).leaseNanos();
    }

    @Override
    public AcquisitionOutcome outcome(int request) {
        return requests.get(request).outcome();
    }

    @Override
    public String callSite(int request) {
        return requests.get(request).callSite();
    }

    @Override
    public int thread(int request) {
        return requests.get(request).thread();
    }

    @Override
    public boolean nested(int request) {
        return requests.get(request).nested();
    }

    @Override
    public long takenNanos() {
        return 0;
    }

    @Override
    public int demand() {
        return 0;
    }

    @Override
    public long unwanted() {
        return 0;
    }
}
