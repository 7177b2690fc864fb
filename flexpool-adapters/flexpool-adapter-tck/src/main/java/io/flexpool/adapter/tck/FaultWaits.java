// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.Capability;
import io.flexpool.adapter.PoolAdapterProvider;
import java.time.Duration;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import javax.sql.DataSource;

/**
 * How long a request for a wrapped pool may take during a fault: not much longer than one for the bare pool.
 *
 * @param retryDeadline up to when a request begins another attempt; zero if there are no retries
 * @param timedCalls whether the pool keeps to a timeout of each call, so that the last attempt ends with the deadline.
 *     With any other, what begins before the deadline takes as long as with the bare pool.
 */
record FaultWaits(Duration retryDeadline, boolean timedCalls) {
    private static final double LONGER = 1.5;
    /** Twenty threads on two processors: a thread whose time has come may have to wait for its turn. */
    private static final Duration SCHEDULING = Duration.ofMillis(250);

    private static final int CONTROLS = 3;

    /** Whether the pool keeps to a timeout of each call, as its adapter declares. */
    static boolean timedCalls(DataSource pool) {
        return ServiceLoader.load(PoolAdapterProvider.class).stream()
                .flatMap(provider -> provider.get().adapt(pool).stream())
                .anyMatch(adapter -> adapter.capabilities().contains(Capability.PER_CALL_TIMEOUT));
    }

    /**
     * Asserts it. The longest of some thousand waits is a matter of luck: a control that had more than its share is
     * repeated.
     */
    void areKeptBy(FaultRun run, FaultRun control, Callable<FaultRun> again) throws Exception {
        Duration longest = control.longestWait();
        for (int controls = 1; controls < CONTROLS && tooLong(run, longest); controls++) {
            Duration another = again.call().longestWait();
            longest = another.compareTo(longest) > 0 ? another : longest;
        }
        assertThat(tooLong(run, longest))
                .as("longest wait %s, of the bare pool %s", run.longestWait(), longest)
                .isFalse();
    }

    private boolean tooLong(FaultRun run, Duration control) {
        double most = LONGER * control.toNanos();
        if (!timedCalls && !retryDeadline.isZero()) {
            most = Math.max(most, (double) retryDeadline.plus(control).toNanos());
        }
        return run.longestWait().minus(SCHEDULING).toNanos() > most;
    }
}
