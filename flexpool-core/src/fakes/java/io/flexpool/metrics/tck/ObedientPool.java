// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.tck;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.pool.PoolSnapshot;
import java.io.PrintWriter;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A scripted pool: the test sets its answers and how long they take, on the test's clock. */
final class ObedientPool implements DataSource {
    static final int MAX = 20;

    /** The outcome of a request. */
    enum Answer {
        CONNECTION,
        EXHAUSTED,
        CONNECT_FAILED,
        INTERRUPTED,
        OTHER
    }

    private final AtomicLong clock;
    private final AtomicInteger out = new AtomicInteger();
    private volatile Answer next = Answer.CONNECTION;
    private volatile Duration takes = Duration.ZERO;
    private volatile boolean closed;

    ObedientPool(AtomicLong clock) {
        this.clock = clock;
    }

    void next(Answer answer, Duration howLong) {
        next = answer;
        takes = howLong;
    }

    @Override
    public Connection getConnection() throws SQLException {
        clock.addAndGet(takes.toNanos());
        return switch (next) {
            case CONNECTION -> connection();
            case EXHAUSTED -> throw new SQLTransientConnectionException("all connections are in use");
            case CONNECT_FAILED -> throw new SQLException("no database", "08001");
            case INTERRUPTED -> {
                Thread.currentThread().interrupt();
                throw new SQLException("interrupted", new InterruptedException());
            }
            case OTHER -> throw new SQLException("something else", "42000");
        };
    }

    private Connection connection() {
        out.incrementAndGet();
        return (Connection) Proxy.newProxyInstance(
                ObedientPool.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "close" -> {
                        out.decrementAndGet();
                        yield null;
                    }
                    case "isValid" -> true;
                    case "toString" -> "a connection";
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    PoolAdapter adapter() {
        return new Adapter();
    }

    private final class Adapter implements PoolAdapter {
        @Override
        public String type() {
            return "obedient";
        }

        @Override
        public Set<Capability> capabilities() {
            return Set.of(Capability.PENDING_COUNT, Capability.CONNECT_TIME);
        }

        @Override
        public ConnectTotals connects() {
            return new ConnectTotals(3, Duration.ofMillis(21));
        }

        @Override
        public PoolSnapshot snapshot() {
            int active = out.get();
            return new PoolSnapshot(MAX, 2, active, MAX - active, MAX, 0);
        }

        @Override
        public Optional<Duration> acquisitionTimeout() {
            return Optional.of(Duration.ofSeconds(30));
        }

        @Override
        public String acquisitionTimeoutKey() {
            return "timeout";
        }

        @Override
        public void prepare(int base, int ceiling) {
            // Its max never changes.
        }

        @Override
        public void resize(int max) {
            // Its max never changes.
        }

        @Override
        public AcquisitionFailure classify(Throwable failure, PoolSnapshot snapshot, Duration waited) {
            Kind kind = switch (next) {
                case EXHAUSTED -> Kind.EXHAUSTED;
                case CONNECT_FAILED -> Kind.CONNECT_FAILED;
                case INTERRUPTED -> Kind.INTERRUPTED;
                default -> Kind.OTHER;
            };
            return AcquisitionFailure.of(kind, failure);
        }

        @Override
        public SQLException timeout(String message, @Nullable SQLException connectFailure) {
            return new SQLTransientConnectionException(message, connectFailure);
        }

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {
        // Writes nothing.
    }

    @Override
    public void setLoginTimeout(int seconds) {
        // Has none.
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger(Logger.GLOBAL_LOGGER_NAME);
    }

    @Override
    public <T> T unwrap(Class<T> iface) throws SQLException {
        throw new SQLException("wraps nothing");
    }

    @Override
    public boolean isWrapperFor(Class<?> iface) {
        return false;
    }
}
