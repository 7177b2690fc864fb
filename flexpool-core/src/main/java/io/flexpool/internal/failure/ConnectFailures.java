// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolEvent.CircuitPhase;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.Events;
import io.flexpool.internal.gate.Circuit;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The connect failures of one pool: the last failure, and the number of failures in a row. Logs each change of the
 * circuit, which opens after them, and raises its event. Thread-safe.
 */
public final class ConnectFailures implements Circuit.Listener {
    private final PoolContext context;
    private final AtomicReference<Streak> streak = new AtomicReference<>(new Streak(0, 0));
    private volatile @Nullable FailedAttempt last;
    private volatile PoolEvent.@Nullable CircuitChanged circuit;

    /** The connect failures since the last acquisition, and the number of acquisitions until then. */
    private record Streak(long acquired, int failures) {
        Streak next(long acquiredNow) {
            return new Streak(acquiredNow, acquiredNow == acquired ? failures + 1 : 1);
        }
    }

    ConnectFailures(PoolContext context) {
        this.context = context;
    }

    void add(FailedAttempt failed) {
        last = failed;
        streak.updateAndGet(before -> before.next(context.recorder().acquired()));
    }

    /** The last failure; null without one. */
    @Nullable
    FailedAttempt last() {
        return last;
    }

    /** The last failure, if it is not older than a time; otherwise null. */
    @Nullable
    FailedAttempt since(long nanos) {
        FailedAttempt failed = last;
        return failed != null && failed.failedNanos() - nanos >= 0 ? failed : null;
    }

    /** The number of connect failures since the last acquisition. */
    public int inARow() {
        Streak now = Objects.requireNonNull(streak.get());
        return now.acquired() == context.recorder().acquired() ? now.failures() : 0;
    }

    /** The last failure in words: SQLState, type and first line of the message; empty without one. */
    public String lastInWords() {
        FailedAttempt failed = last;
        return failed == null ? "" : failed.reason();
    }

    /** The last change of the circuit; null without one. */
    public PoolEvent.@Nullable CircuitChanged circuit() {
        return circuit;
    }

    @Override
    public void changed(Circuit changed, CircuitPhase phase) {
        context.listeners().guard("the report of the circuit", () -> report(changed, phase));
    }

    private void report(Circuit changed, CircuitPhase phase) {
        long now = context.nanos();
        PoolEvent.CircuitChanged event = new Events.CircuitChanged(
                context.name(),
                InstantSource.system().instant(),
                phase,
                Duration.ofNanos(changed.openForNanos(now)),
                inARow(),
                lastInWords(),
                context.state(now));
        circuit = event;
        context.listeners().log(event, phase == CircuitPhase.OPEN);
        context.listeners().raise(event);
        if (context.mode().consultsStrategies()) {
            // Otherwise the mode switch has closed the circuit, and delivers the events.
            context.listeners().deliver();
        }
    }
}
