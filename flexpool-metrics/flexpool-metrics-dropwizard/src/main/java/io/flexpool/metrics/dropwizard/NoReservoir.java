// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import com.codahale.metrics.Reservoir;
import com.codahale.metrics.Snapshot;

/** Stores nothing: timers and histograms need no thousand samples, as Dropwizard's default reservoir has. */
final class NoReservoir implements Reservoir {
    static final NoReservoir INSTANCE = new NoReservoir();

    private NoReservoir() {}

    /** Thrown on every attempt to update a view. */
    static UnsupportedOperationException readOnly() {
        return new UnsupportedOperationException("this metric shows flexpool's own figures and cannot be updated");
    }

    @Override
    public int size() {
        return 0;
    }

    @Override
    public void update(long value) {
        throw readOnly();
    }

    @Override
    public Snapshot getSnapshot() {
        return ReadSnapshot.EMPTY;
    }
}
