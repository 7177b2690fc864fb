// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolEvent.CircuitPhase;
import io.flexpool.event.PoolListener;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolState;
import io.flexpool.pool.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Derives a pool's health from its last failures. Listens only to failures, so a successful acquisition costs nothing,
 * and a rejected one hardly anything. Thread-safe.
 *
 * <p>An outage is a connect failure after which no request got a connection, or an open circuit. It ends after a minute
 * without another failure, so that an instance recovers even if it receives no requests because of the outage.
 * Saturation means that a request got no connection in time within the last ten seconds, and that all connections are
 * active while others wait. Waiting requests alone are load, not saturation.
 */
final class HealthWindow implements PoolListener, MetricsBinder.Binding {
    private static final long OUTAGE_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long SATURATED_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long COUNT_EVERY_NANOS = Duration.ofMillis(100).toNanos();

    private final PoolView pool;
    private final Ticker ticker;
    private final Map<String, HealthWindow> bound;
    private volatile @Nullable Refusal connect;
    private volatile @Nullable Lateness timeout;
    private volatile @Nullable Count counted;
    private volatile boolean circuitOpen;

    private record Refusal(Count servedBefore, long atNanos, String reason) {}

    private record Lateness(long atNanos, String reason) {}

    private record Count(long atNanos, long served) {}

    /**
     * The reason why a pool is not healthy.
     *
     * @param outage true if the database refuses connections or is unreachable; false if requests get no connection in
     *     time
     * @param reason the reason, without passwords
     */
    record Diagnosis(boolean outage, String reason) {}

    /**
     * Creates the window of a pool.
     *
     * @param bound the windows of all bound pools by name; this window removes itself at its end
     */
    HealthWindow(PoolView pool, Ticker ticker, Map<String, HealthWindow> bound) {
        this.pool = pool;
        this.ticker = ticker;
        this.bound = bound;
    }

    @Override
    public PoolListener listener() {
        return this;
    }

    @Override
    public void unbind() {
        bound.remove(pool.name(), this);
    }

    PoolView pool() {
        return pool;
    }

    @Override
    public void onEvent(PoolEvent event) {
        if (event instanceof PoolEvent.ConnectFailed failed) {
            connect = refusal(failed.describe());
        } else if (event instanceof PoolEvent.AcquisitionTimedOut timedOut) {
            late("a request got no connection within " + timedOut.duration().toMillis() + " ms");
        } else if (event instanceof PoolEvent.AcquisitionRejected rejectedEvent) {
            late("a request was rejected after " + rejectedEvent.duration().toMillis() + " ms");
        } else if (event instanceof PoolEvent.CircuitChanged changed) {
            circuitOpen = changed.phase() != CircuitPhase.CLOSED;
            if (circuitOpen) {
                connect = refusal(changed.describe());
            }
        }
    }

    private void late(String reason) {
        timeout = new Lateness(ticker.nanos(), reason);
    }

    /** Reads the count at most once in a while, because reading copies all figures. */
    private Refusal refusal(String reason) {
        long now = ticker.nanos();
        Count before = counted;
        if (before == null || now - before.atNanos() >= COUNT_EVERY_NANOS) {
            before = new Count(now, served());
            counted = before;
        }
        return new Refusal(before, now, reason);
    }

    private long served() {
        return pool.statistics().total().acquisition(AcquisitionOutcome.OK).count();
    }

    /**
     * The reason why the pool is currently not healthy. Only reads figures.
     *
     * @param state the current state
     * @return empty if the pool serves requests
     */
    Optional<Diagnosis> diagnosis(PoolState state) {
        long now = ticker.nanos();
        Refusal refused = connect;
        if (refused != null
                && (circuitOpen || now - refused.atNanos() < OUTAGE_NANOS)
                && (circuitOpen || served() == refused.servedBefore().served())) {
            return Optional.of(new Diagnosis(true, refused.reason()));
        }
        Lateness late = timeout;
        if (late != null && now - late.atNanos() < SATURATED_NANOS && state.pending() > 0 && allOut(state)) {
            return Optional.of(new Diagnosis(false, late.reason() + "; " + state.describe()));
        }
        return Optional.empty();
    }

    /** Whether all connections are active; assumed if the pool does not report its max. */
    private static boolean allOut(PoolState state) {
        int most = state.bound() ? state.limit() : state.pool().max();
        return state.leased() + state.foreign() >= most;
    }
}
