// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.PoolAdapterProvider;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import javax.sql.DataSource;

/**
 * Limits the waits of a wrapped pool's requests during a fault: not much longer than the bare pool's.
 *
 * @param retryDeadline the time up to which a request begins another attempt; zero without retries
 * @param timedCalls whether the pool supports a timeout per call, so that the last attempt ends at the deadline.
 *     Otherwise an attempt that begins before the deadline takes as long as with the bare pool
 */
public record FaultWaits(Duration retryDeadline, boolean timedCalls) {
    private static final double LONGER = 1.5;
    /**
     * The tolerance for scheduling: with twenty threads on two processors, a thread may wait for a processor after its
     * timeout.
     */
    private static final Duration SCHEDULING = Duration.ofMillis(250);

    private static final int RUNS = 3;

    /** Whether the pool's adapter declares a timeout per call. */
    public static boolean timedCalls(DataSource pool) {
        return ServiceLoader.load(PoolAdapterProvider.class).stream()
                .flatMap(provider -> provider.get().adapt(pool).stream())
                .anyMatch(adapter -> adapter.capabilities().contains(Capability.PER_CALL_TIMEOUT));
    }

    /**
     * Checks the longest wait. The longest of some thousand waits depends on chance and on the machine's other load, so
     * both runs are repeated: a real delay by the wrapper occurs each time.
     */
    public void areKeptBy(FaultRun run, FaultRun control, Callable<FaultRun> wrappedAgain, Callable<FaultRun> bareAgain)
            throws Exception {
        Duration wrapped = run.longestWait();
        Duration bare = control.longestWait();
        for (int runs = 1; runs < RUNS && tooLong(wrapped, bare); runs++) {
            bare = Collections.max(List.of(bare, bareAgain.call().longestWait()));
            if (tooLong(wrapped, bare)) {
                wrapped = Collections.min(List.of(wrapped, wrappedAgain.call().longestWait()));
            }
        }
        assertThat(tooLong(wrapped, bare))
                .as("longest wait %s, of the bare pool %s", wrapped, bare)
                .isFalse();
    }

    private boolean tooLong(Duration wrapped, Duration control) {
        double most = LONGER * control.toNanos();
        if (!timedCalls && !retryDeadline.isZero()) {
            most = Math.max(most, (double) retryDeadline.plus(control).toNanos());
        }
        return wrapped.minus(SCHEDULING).toNanos() > most;
    }
}
