// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.PoolListener.LeaseInspector;
import io.flexpool.internal.context.StateReader;
import io.flexpool.internal.record.StatisticsHistory;
import io.flexpool.monitoring.PoolStatistics;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolPhase;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A pool that flexpool leaves alone: nothing is measured, limited or reported. Thread-safe. */
public final class DisabledPool implements WrappedPool {
    private final PoolAdapter adapter;
    private final String name;
    private final List<String> otherNames;
    private final AtomicBoolean closed = new AtomicBoolean();

    public DisabledPool(PoolAdapter adapter, String name, List<String> otherNames) {
        this.adapter = adapter;
        this.name = name;
        this.otherNames = otherNames;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> otherNames() {
        return otherNames;
    }

    @Override
    public String type() {
        return adapter.type();
    }

    @Override
    public PoolState state() {
        return StateReader.NONE;
    }

    @Override
    public PoolStatistics statistics() {
        return StatisticsHistory.NONE;
    }

    @Override
    public boolean mode(PoolMode wanted) {
        if (wanted != PoolMode.MONITOR) {
            throw new IllegalArgumentException(disabled("the mode is always monitor"));
        }
        return false;
    }

    @Override
    public void limits(int base, int ceiling) {
        throw new IllegalStateException(disabled("the pool has no limits"));
    }

    @Override
    public OpenLease.Inspection inspectLeases(LeaseInspector inspector, boolean each) {
        throw new IllegalStateException(disabled("no lease is recorded"));
    }

    // The kill switch disables operations without an error; a drain still closes the pool.

    @Override
    public int warmUp(int connections, Duration within) {
        return 0;
    }

    @Override
    public boolean evict(String reason) {
        return false;
    }

    @Override
    public boolean pause() {
        return false;
    }

    @Override
    public boolean resume() {
        return false;
    }

    @Override
    public int drain(Duration within) {
        close();
        return 0;
    }

    @Override
    public int drainAndRelease(Duration within) {
        release();
        return 0;
    }

    @Override
    public PoolPhase phase() {
        return closed() ? PoolPhase.CLOSED : PoolPhase.OPEN;
    }

    private String disabled(String consequence) {
        return name + ": flexpool is disabled: " + consequence;
    }

    @Override
    public boolean closed() {
        return closed.get();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                adapter.close();
            } catch (RuntimeException unchecked) {
                throw unchecked;
            } catch (Exception checked) {
                throw new IllegalStateException("closing " + name + " failed", checked);
            }
        }
    }

    @Override
    public void release() {
        closed.set(true);
    }
}
