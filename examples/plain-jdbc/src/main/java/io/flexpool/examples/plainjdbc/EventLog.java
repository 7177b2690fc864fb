// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import io.flexpool.diagnostics.Explanation;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps the pool's events; flexpool logs them itself. Thread-safe. */
final class EventLog implements PoolListener {
    private final List<PoolEvent.Resized> resized = new CopyOnWriteArrayList<>();
    private final List<PoolEvent.ConnectFailed> connectFailures = new CopyOnWriteArrayList<>();
    private final List<Explanation> explanations = new CopyOnWriteArrayList<>();

    @Override
    public void onEvent(PoolEvent event) {
        if (event instanceof PoolEvent.Resized resizedEvent) {
            resized.add(resizedEvent);
        } else if (event instanceof PoolEvent.AcquisitionTimedOut timedOut) {
            Explanation explanation = timedOut.explanation();
            if (explanation != null) {
                explanations.add(explanation);
            }
        } else if (event instanceof PoolEvent.ConnectFailed failed) {
            connectFailures.add(failed);
        }
    }

    List<PoolEvent.Resized> resized() {
        return List.copyOf(resized);
    }

    /** Of requests that got no connection in time; at most one in a second. */
    List<Explanation> explanations() {
        return List.copyOf(explanations);
    }

    List<PoolEvent.ConnectFailed> connectFailures() {
        return List.copyOf(connectFailures);
    }
}
