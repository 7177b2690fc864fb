// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolEvent.CircuitPhase;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.Events;
import io.flexpool.internal.gate.Circuit;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each change of the circuit, and raises its event. */
public final class CircuitReporter implements Circuit.Listener {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    private final PoolContext context;
    private final ConnectFailures connects;
    private final InstantSource clock = InstantSource.system();
    private volatile PoolEvent.@Nullable CircuitChanged last;

    /** For a pool and its connect failures. */
    public CircuitReporter(PoolContext context, ConnectFailures connects) {
        this.context = context;
        this.connects = connects;
    }

    /** The last change; null if there was none. */
    public PoolEvent.@Nullable CircuitChanged last() {
        return last;
    }

    @Override
    public void changed(Circuit circuit, CircuitPhase phase) {
        context.listeners().guard("the report of the circuit", () -> report(circuit, phase));
    }

    private void report(Circuit circuit, CircuitPhase phase) {
        long now = context.nanos();
        PoolEvent.CircuitChanged event = new Events.CircuitChanged(
                context.name(),
                clock.instant(),
                phase,
                Duration.ofNanos(circuit.openForNanos(now)),
                connects.inARow(),
                connects.lastInWords(),
                context.state(now));
        last = event;
        context.listeners().guard("the log", () -> {
            if (phase == CircuitPhase.OPEN) {
                LOG.warn("{}", event.describe());
            } else {
                LOG.info("{}", event.describe());
            }
        });
        context.listeners().raise(event);
        if (context.mode().asksStrategies()) {
            // Else it is the switch of the mode that has closed it, and delivers what it brought.
            context.listeners().deliver();
        }
    }
}
