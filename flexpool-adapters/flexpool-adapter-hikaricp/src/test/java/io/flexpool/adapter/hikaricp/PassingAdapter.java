// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.pool.PoolSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Passes every call on, so that a subclass can break a single one. */
class PassingAdapter implements PoolAdapter {
    private final PoolAdapter to;

    PassingAdapter(PoolAdapter to) {
        this.to = to;
    }

    @Override
    public String type() {
        return to.type();
    }

    @Override
    public Set<Capability> capabilities() {
        return to.capabilities();
    }

    @Override
    public PoolSnapshot snapshot() {
        return to.snapshot();
    }

    @Override
    public Set<PoolSnapshot.Figure> figures() {
        return to.figures();
    }

    @Override
    public Optional<Duration> acquisitionTimeout() {
        return to.acquisitionTimeout();
    }

    @Override
    public String acquisitionTimeoutKey() {
        return to.acquisitionTimeoutKey();
    }

    @Override
    public void prepare(int base, int ceiling) {
        to.prepare(base, ceiling);
    }

    @Override
    public void restore() {
        to.restore();
    }

    @Override
    public boolean started() {
        return to.started();
    }

    @Override
    public void resize(int max) {
        to.resize(max);
    }

    @Override
    public void wake(int wanted) {
        to.wake(wanted);
    }

    @Override
    public void trim(int max) {
        to.trim(max);
    }

    @Override
    public Connection connection(long timeoutNanos) throws SQLException {
        return to.connection(timeoutNanos);
    }

    @Override
    public void discard(Connection connection) throws SQLException {
        to.discard(connection);
    }

    @Override
    public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
        return to.classify(failure, snapshot, waited);
    }

    @Override
    public SQLException timeout(String message, @Nullable SQLException connectFailure) {
        return to.timeout(message, connectFailure);
    }

    @Override
    public boolean isClosed() {
        return to.isClosed();
    }

    @Override
    public void close() throws Exception {
        to.close();
    }
}
