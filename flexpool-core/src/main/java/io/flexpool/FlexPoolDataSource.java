// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener.LeaseInspector;
import io.flexpool.internal.pool.AcquiringPool;
import io.flexpool.internal.pool.MonitoredConnectionBuilder;
import io.flexpool.internal.pool.MonitoredPool;
import io.flexpool.internal.pool.WrappedPool;
import io.flexpool.monitoring.PartView;
import io.flexpool.monitoring.PoolControl;
import io.flexpool.monitoring.PoolDiagnosis;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolStatistics;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolPhase;
import io.flexpool.pool.PoolState;
import io.flexpool.strategy.AcquisitionStrategy;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ConnectionBuilder;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.ShardingKeyBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A wrapped pool. Use it in place of the pool; close it instead of the pool. Thread-safe.
 *
 * <p>If disabled ({@code enabled(false)}) it only delegates: no gate, no thread, no metrics. This type is a data source
 * only: no {@code XADataSource} or {@code ConnectionPoolDataSource}, even if the wrapped pool is one.
 */
public final class FlexPoolDataSource implements DataSource, PoolControl, AutoCloseable {
    private final DataSource target;
    private final PoolAdapter adapter;
    private final WrappedPool pool;
    /** The acquisition path of the pool; null if disabled. */
    private final @Nullable AcquiringPool acquiring;

    FlexPoolDataSource(DataSource target, PoolAdapter adapter, WrappedPool pool) {
        this.target = target;
        this.adapter = adapter;
        this.pool = pool;
        this.acquiring = pool instanceof MonitoredPool monitored ? monitored.acquiring() : null;
    }

    /**
     * Gets a connection from the pool, within the acquisition timeout or the longer deadline of a strategy.
     *
     * @return a connection; closing it returns it to the pool
     * @throws SQLException the pool's exception; if the pool was not called, an exception of the class that the pool uses
     */
    @Override
    public Connection getConnection() throws SQLException {
        return acquiring == null ? delegate().getConnection() : acquiring.acquire();
    }

    /**
     * Gets a connection for a user, if the wrapped pool supports that.
     *
     * @param user passed to the pool
     * @param password passed to the pool; never kept, never shown
     * @return a connection
     * @throws SQLException as {@link #getConnection()}; also if the pool does not support a user
     */
    @Override
    public Connection getConnection(@Nullable String user, @Nullable String password) throws SQLException {
        return acquiring == null ? delegate().getConnection(user, password) : acquiring.acquire(user, password);
    }

    /**
     * Builds connections with more than user and password, if the wrapped pool supports that. They pass the gate and
     * are measured like every other connection.
     *
     * @return a builder around the pool's builder
     * @throws SQLException the pool's exception, usually {@link SQLFeatureNotSupportedException}, if it has no builder
     */
    @Override
    public ConnectionBuilder createConnectionBuilder() throws SQLException {
        return acquiring == null
                ? delegate().createConnectionBuilder()
                : new MonitoredConnectionBuilder(acquiring, target.createConnectionBuilder());
    }

    @Override
    public ShardingKeyBuilder createShardingKeyBuilder() throws SQLException {
        return target.createShardingKeyBuilder();
    }

    /** The pool, if it is open. flexpool refuses requests after the close: some pools would reopen. */
    private DataSource delegate() throws SQLException {
        if (pool.closed()) {
            throw new SQLException(name() + ": the pool is closed", "08003");
        }
        return target;
    }

    @Override
    public PoolMode mode() {
        return pool.mode();
    }

    @Override
    public boolean mode(PoolMode wanted) {
        return pool.mode(wanted);
    }

    @Override
    public void limits(int base, int ceiling) {
        pool.limits(base, ceiling);
    }

    @Override
    public PoolPhase phase() {
        return pool.phase();
    }

    @Override
    public int warmUp(int connections, Duration within) {
        return pool.warmUp(connections, Objects.requireNonNull(within, "within is null"));
    }

    @Override
    public int drain(Duration within) {
        return pool.drain(Objects.requireNonNull(within, "within is null"));
    }

    int drainAndRelease(Duration within) {
        return pool.drainAndRelease(Objects.requireNonNull(within, "within is null"));
    }

    @Nullable
    Duration drainWithin() {
        return pool.drainWithin();
    }

    @Override
    public boolean evict(String reason) {
        return pool.evict(Objects.requireNonNull(reason, "reason is null"));
    }

    @Override
    public boolean pause() {
        return pool.pause();
    }

    @Override
    public boolean resume() {
        return pool.resume();
    }

    @Override
    public String name() {
        return pool.name();
    }

    @Override
    public List<String> otherNames() {
        return pool.otherNames();
    }

    @Override
    public String type() {
        return pool.type();
    }

    @Override
    public PoolState state() {
        return pool.state();
    }

    /** {@return whether flexpool is enabled for this pool; false if this wrapper only delegates} */
    public boolean enabled() {
        return acquiring != null;
    }

    /** {@return whether this wrapper was closed, by the application or by a framework} */
    public boolean closed() {
        return pool.closed();
    }

    /** {@return the capabilities of the wrapped pool, as declared by the adapter; immutable} */
    public Set<Capability> capabilities() {
        return Set.copyOf(adapter.capabilities());
    }

    /** {@return the strategies in order of precedence, also while the pool is only watched; empty if disabled} */
    public List<AcquisitionStrategy> strategies() {
        return pool.strategies();
    }

    @Override
    public boolean supports(PoolMetric metric) {
        Objects.requireNonNull(metric, "metric is null");
        return pool.supports(metric);
    }

    @Override
    public PoolStatistics statistics() {
        return pool.statistics();
    }

    @Override
    public List<RequestClass> classes() {
        return pool.classes();
    }

    @Override
    public PoolDiagnosis diagnosis() {
        return pool.diagnosis();
    }

    @Override
    public List<PartView> parts() {
        return pool.parts();
    }

    @Override
    public <T> Optional<T> view(Class<T> type) {
        return pool.view(Objects.requireNonNull(type, "type is null"));
    }

    @Override
    public List<OpenLease> openLeases() {
        return pool.openLeases();
    }

    /**
     * Inspects the leases closely, for example in tests: captures the call site of every lease (unless
     * {@code call-sites.sample-every = 0}) and reports every nested acquisition, even if the pool is not exhausted. Costs
     * a stack walk per lease, until the last inspection ends.
     *
     * @param nested called on the thread that requests a second connection, before it is leased; guarded like a
     * listener
     * @return the inspection; its close ends it
     * @throws IllegalStateException if this wrapper is disabled
     */
    public OpenLease.Inspection inspectLeases(Consumer<PoolEvent.NestedAcquisition> nested) {
        Consumer<PoolEvent.NestedAcquisition> given = Objects.requireNonNull(nested, "nested is null");
        return pool.inspectLeases(
                new LeaseInspector() {
                    @Override
                    public void nested(PoolEvent.NestedAcquisition event) {
                        given.accept(event);
                    }
                },
                false);
    }

    /**
     * Like {@link #inspectLeases(Consumer)}, but also reports the start and end of each lease.
     *
     * @param inspector guarded like a listener
     * @return the inspection; its close ends it
     * @throws IllegalStateException if this wrapper is disabled, or {@code call-sites.sample-every = 0}: then no lease is
     *     inspected
     */
    public OpenLease.Inspection inspectLeases(LeaseInspector inspector) {
        return pool.inspectLeases(Objects.requireNonNull(inspector, "inspector is null"), true);
    }

    /**
     * Closes the wrapped pool by its close method, ends flexpool's monitoring and unbinds the backends. Waiting and
     * later requests fail with an SQLException. With {@code drain.within} it first {@linkplain #drain drains} the pool.
     * A pool's close that takes longer than 20 s continues in the background. Closing twice has no effect.
     */
    @Override
    public void close() {
        pool.close();
    }

    void release() {
        pool.release();
    }

    @Override
    public <T> T unwrap(Class<T> iface) throws SQLException {
        Objects.requireNonNull(iface, "iface is null");
        if (iface.isInstance(this)) {
            return iface.cast(this);
        }
        if (iface.isInstance(target)) {
            return iface.cast(target);
        }
        T found = unwrapTarget(iface);
        if (found == null) {
            throw new SQLException(
                    name() + ": cannot unwrap to " + iface.getName() + ", the wrapped pool is a " + type() + " pool");
        }
        return found;
    }

    @Override
    public boolean isWrapperFor(Class<?> iface) throws SQLException {
        Objects.requireNonNull(iface, "iface is null");
        return iface.isInstance(this) || iface.isInstance(target) || targetIsWrapperFor(iface);
    }

    /** Null if the pool cannot unwrap to the type: some return null, Agroal fails to cast, Proxool has no unwrap. */
    private <T> @Nullable T unwrapTarget(Class<T> iface) throws SQLException {
        try {
            return target.unwrap(iface);
        } catch (ClassCastException | AbstractMethodError noWrapper) {
            return null;
        }
    }

    private boolean targetIsWrapperFor(Class<?> iface) throws SQLException {
        try {
            return target.isWrapperFor(iface);
        } catch (AbstractMethodError olderThanJdbc4) {
            return false;
        }
    }

    @Override
    public @Nullable PrintWriter getLogWriter() throws SQLException {
        return target.getLogWriter();
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
        target.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        target.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return target.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return target.getParentLogger();
    }

    @Override
    public String toString() {
        return "flexpool '" + name() + "' (" + type() + ")";
    }
}
