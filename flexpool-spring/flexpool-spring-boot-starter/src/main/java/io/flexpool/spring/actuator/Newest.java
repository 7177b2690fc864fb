// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.diagnostics.Explanation;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * What must be known of a pool however much has happened since, and when it was: the pool's last events forget it after a
 * hundred others. Thread-safe.
 */
final class Newest implements PoolListener {
    private final InstantSource clock;
    private volatile @Nullable Circuit circuit;
    private volatile @Nullable Explained explained;

    Newest(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * What the circuit has become.
     *
     * @param sinceMillis when, milliseconds since 1970
     */
    record Circuit(long sinceMillis, PoolEvent.CircuitChanged change) {}

    /**
     * A failure that was explained in full.
     *
     * @param atMillis when, milliseconds since 1970
     */
    record Explained(long atMillis, Explanation explanation) {}

    /** Null if the circuit has never opened, or if there is none. */
    @Nullable
    Circuit circuit() {
        return circuit;
    }

    /** When something was explained, milliseconds since 1970; null if that is not the newest, or too new. */
    @Nullable
    Long explainedAt(Explanation explanation) {
        Explained newest = explained;
        return newest == null || newest.explanation().number() != explanation.number()
                ? null
                : (Long) newest.atMillis();
    }

    @Override
    public void onCircuitChanged(PoolEvent.CircuitChanged event) {
        circuit = new Circuit(clock.millis(), event);
    }

    @Override
    public void onAcquisitionTimedOut(PoolEvent.AcquisitionTimedOut event) {
        explained(event.explanation());
    }

    @Override
    public void onConnectFailed(PoolEvent.ConnectFailed event) {
        explained(event.explanation());
    }

    private void explained(@Nullable Explanation explanation) {
        if (explanation != null) {
            explained = new Explained(clock.millis(), explanation);
        }
    }
}
