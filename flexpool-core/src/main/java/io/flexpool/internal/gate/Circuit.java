// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import io.flexpool.event.PoolEvent.CircuitPhase;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The circuit breaker. Closed: all requests may pass. Open: no request may, until a time. Half open: one probe may.
 * Lock-free: the phase is one immutable object, and the thread that replaces it notifies the listener.
 */
public final class Circuit {
    /** The decision on a request. */
    public enum Decision {
        /** The circuit is closed. */
        PASS,
        /** This request is the probe; the caller must report how it ended. */
        PROBE,
        /** The circuit is open, or another request is the probe. */
        REFUSED
    }

    /**
     * The phase and its times.
     *
     * @param untilNanos end of the open phase, if open
     * @param openForNanos duration of the open phase, if open or half open
     */
    private record Position(CircuitPhase phase, long untilNanos, long openForNanos) {}

    private static final Position CLOSED = new Position(CircuitPhase.CLOSED, 0, 0);

    private final AtomicReference<Position> position = new AtomicReference<>(CLOSED);
    private final AdmissionState admission;
    private final Listener listener;

    /** A closed circuit, which updates {@code admission} and calls the listener after each change. */
    public Circuit(AdmissionState admission, Listener listener) {
        this.admission = admission;
        this.listener = listener;
    }

    /** Called by the thread that made the change. Must not throw. */
    public interface Listener {
        /** The phase changed; it may have changed again by the time of the call. */
        void changed(Circuit circuit, CircuitPhase phase);
    }

    /**
     * Under concurrent changes the admission ends up consistent with the circuit: each thread checks again after
     * writing.
     */
    private void changed(CircuitPhase phase) {
        boolean consulted;
        do {
            consulted = phase() != CircuitPhase.CLOSED;
            admission.circuit(consulted);
        } while (consulted != (phase() != CircuitPhase.CLOSED));
        listener.changed(this, phase);
    }

    private Position position() {
        return Objects.requireNonNull(position.get());
    }

    public CircuitPhase phase() {
        return position().phase();
    }

    /** Whether a request is refused now, before it waits for a permit. Changes nothing. */
    public boolean refuses(long nowNanos) {
        Position seen = position();
        return seen.phase() == CircuitPhase.HALF_OPEN
                || (seen.phase() == CircuitPhase.OPEN && seen.untilNanos() - nowNanos > 0);
    }

    /** Decides on a request, directly before the pool's call. */
    public Decision admit(long nowNanos) {
        while (true) {
            Position seen = position();
            if (seen.phase() == CircuitPhase.CLOSED) {
                return Decision.PASS;
            }
            if (refuses(nowNanos)) {
                return Decision.REFUSED;
            }
            if (position.compareAndSet(seen, new Position(CircuitPhase.HALF_OPEN, 0, seen.openForNanos()))) {
                changed(CircuitPhase.HALF_OPEN);
                return Decision.PROBE;
            }
        }
    }

    /** Opens the circuit, or extends the open phase. */
    public void trip(long nowNanos, long openForNanos) {
        while (true) {
            Position seen = position();
            long until = nowNanos + openForNanos;
            if (seen.phase() == CircuitPhase.OPEN && seen.untilNanos() - until >= 0) {
                return;
            }
            if (position.compareAndSet(seen, new Position(CircuitPhase.OPEN, until, openForNanos))) {
                if (seen.phase() != CircuitPhase.OPEN) {
                    changed(CircuitPhase.OPEN);
                }
                return;
            }
        }
    }

    /** Closes the circuit: the probe got a connection, or the circuit was reset. */
    public void close() {
        if (Objects.requireNonNull(position.getAndSet(CLOSED)).phase() != CircuitPhase.CLOSED) {
            changed(CircuitPhase.CLOSED);
        }
    }

    /**
     * The probe ended without closing the circuit. After a failed connect the circuit is open for as long as before.
     * After an inconclusive end (interrupted, timed out at the gate) the next request may probe at once.
     */
    public void probeEnded(long nowNanos, boolean connectFailed) {
        Position seen = position();
        long until = nowNanos + (connectFailed ? seen.openForNanos() : 0);
        if (seen.phase() == CircuitPhase.HALF_OPEN
                && position.compareAndSet(seen, new Position(CircuitPhase.OPEN, until, seen.openForNanos()))) {
            changed(CircuitPhase.OPEN);
        }
    }

    /** How much longer the circuit stays open; 0 if it is not open, or due for a probe. */
    public long openForNanos(long nowNanos) {
        Position seen = position();
        return seen.phase() == CircuitPhase.OPEN ? Math.max(0, seen.untilNanos() - nowNanos) : 0;
    }
}
