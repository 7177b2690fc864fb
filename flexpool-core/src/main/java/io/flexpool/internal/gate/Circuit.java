// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import io.flexpool.event.PoolEvent.CircuitPhase;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether requests may go to the pool at all. Closed: all may. Open: none may, until a time. Half open: one may, to see.
 * Lock-free; the phase is one immutable object, and whoever changes it by its compare-and-set tells of it.
 */
public final class Circuit {
    /** What a request is told. */
    public enum Admission {
        /** The circuit is closed. */
        PASS,
        /** This request is the one that finds out; it must tell how it ended. */
        PROBE,
        /** The circuit is open, or another request is finding out. */
        REFUSED
    }

    /**
     * Where it stands.
     *
     * @param untilNanos if open, until when
     * @param openForNanos if open or half open, for how long it was opened
     */
    private record Position(CircuitPhase phase, long untilNanos, long openForNanos) {}

    private static final Position CLOSED = new Position(CircuitPhase.CLOSED, 0, 0);

    private final AtomicReference<Position> position = new AtomicReference<>(CLOSED);
    private final AdmissionState admission;
    private final Listener listener;

    /**
     * A closed circuit.
     *
     * @param admission is kept as the phase is
     * @param listener called after each change
     */
    public Circuit(AdmissionState admission, Listener listener) {
        this.admission = admission;
        this.listener = listener;
    }

    /** Is called after each change, by the thread that made it. Must not throw. */
    public interface Listener {
        /** The phase is another one; by the time of the call it may have changed again. */
        void changed(Circuit circuit, CircuitPhase phase);
    }

    /** Also when many change it at once, the admission says in the end what the circuit is: each looks again after writing. */
    private void changed(CircuitPhase phase) {
        boolean asked;
        do {
            asked = phase() != CircuitPhase.CLOSED;
            admission.circuit(asked);
        } while (asked != (phase() != CircuitPhase.CLOSED));
        listener.changed(this, phase);
    }

    private Position position() {
        return Objects.requireNonNull(position.get());
    }

    public CircuitPhase phase() {
        return position().phase();
    }

    /** Whether a request need not even wait for a permit now. Changes nothing. */
    public boolean refuses(long nowNanos) {
        Position seen = position();
        return seen.phase() == CircuitPhase.HALF_OPEN
                || (seen.phase() == CircuitPhase.OPEN && seen.untilNanos() - nowNanos > 0);
    }

    /** Asked just before the pool is. */
    public Admission admit(long nowNanos) {
        while (true) {
            Position seen = position();
            if (seen.phase() == CircuitPhase.CLOSED) {
                return Admission.PASS;
            }
            if (refuses(nowNanos)) {
                return Admission.REFUSED;
            }
            if (position.compareAndSet(seen, new Position(CircuitPhase.HALF_OPEN, 0, seen.openForNanos()))) {
                changed(CircuitPhase.HALF_OPEN);
                return Admission.PROBE;
            }
        }
    }

    /** Opens, or stays open for longer. */
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

    /** The probe got a connection, or somebody decided that all may pass. */
    public void close() {
        if (Objects.requireNonNull(position.getAndSet(CLOSED)).phase() != CircuitPhase.CLOSED) {
            changed(CircuitPhase.CLOSED);
        }
    }

    /**
     * The probe ended and has not closed the circuit. If its connect failed the circuit is open for as long as before; if
     * it found nothing out (interrupted, timed out at the gate) the next one may try at once.
     */
    public void probeEnded(long nowNanos, boolean connectFailed) {
        Position seen = position();
        long until = nowNanos + (connectFailed ? seen.openForNanos() : 0);
        if (seen.phase() == CircuitPhase.HALF_OPEN
                && position.compareAndSet(seen, new Position(CircuitPhase.OPEN, until, seen.openForNanos()))) {
            changed(CircuitPhase.OPEN);
        }
    }

    /** How much longer the circuit stays open; 0 if it is not open, or due to be probed. */
    public long openForNanos(long nowNanos) {
        Position seen = position();
        return seen.phase() == CircuitPhase.OPEN ? Math.max(0, seen.untilNanos() - nowNanos) : 0;
    }
}
