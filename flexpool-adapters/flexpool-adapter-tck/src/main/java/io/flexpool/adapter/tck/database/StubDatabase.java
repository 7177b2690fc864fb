// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/**
 * A database that only counts: its data source opens physical connections as slowly, and refuses them as rudely, as a
 * test wants, and says how many are open. Statements do nothing, but lead back to their connection as a driver's do. The
 * catalog of a connection is its number, so that a test can distinguish physical connections. Thread-safe.
 */
public final class StubDatabase {
    /** How a connect goes wrong. */
    public enum Fault {
        /** It does not. */
        NONE,
        /** No listener: SQLState 08001, caused by a {@link ConnectException}. */
        REFUSED,
        /** SQLState 28P01. */
        WRONG_PASSWORD,
        /** SQLState 3D000. */
        NO_SUCH_DATABASE,
        /** SQLState 53300. */
        TOO_MANY_CONNECTIONS,
        /** The driver throws an {@link Error}. */
        BROKEN_DRIVER,
        /** The connect hangs until {@link #release()}, then is refused. */
        HANGING
    }

    private final Set<StubConnection> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger openNow = new AtomicInteger();
    private final AtomicInteger connecting = new AtomicInteger();
    private final AtomicInteger peak = new AtomicInteger();
    private final AtomicLong opened = new AtomicLong();
    private final AtomicLong connectAttempts = new AtomicLong();
    private final AtomicInteger stops = new AtomicInteger();
    private volatile Fault fault = Fault.NONE;
    private volatile boolean errorsInUse;
    private volatile long connectNanos;
    private volatile CountDownLatch hang = new CountDownLatch(1);
    /** Null unless the next validation is to hang. */
    private final AtomicReference<@Nullable CountDownLatch> nextValidation = new AtomicReference<>();

    private volatile @Nullable CountDownLatch hangingValidation;
    private final DataSource dataSource = new Counted();
    /** Null unless connections lead to a real database. */
    private volatile @Nullable DataSource real;

    private final AtomicReference<@Nullable String> url = new AtomicReference<>();

    /** A database that accepts at once. */
    public StubDatabase() {}

    /**
     * Opens physical connections of this database.
     *
     * @return always the same object
     */
    public DataSource dataSource() {
        return dataSource;
    }

    /**
     * For pools that want a URL: {@link StubDriver} connects to this database under it, as long as this object is
     * referenced.
     *
     * @return always the same
     */
    public String url() {
        String known = url.get();
        if (known == null) {
            url.compareAndSet(null, StubDriver.urlOf(this));
            known = Objects.requireNonNull(url.get());
        }
        return known;
    }

    /**
     * Opens connections of a real database from now on, which are counted as well. They keep the catalog themselves, which few drivers do.
     *
     * @param database opens them
     */
    public void leadsTo(DataSource database) {
        real = database;
    }

    /**
     * Makes connects slow.
     *
     * @param duration how long a connect takes from now on; not negative
     * @return this database
     */
    public StubDatabase connectTakes(Duration duration) {
        connectNanos = duration.toNanos();
        return this;
    }

    /**
     * Makes connects fail.
     *
     * @param how from now on
     */
    public void fault(Fault how) {
        if (how == Fault.HANGING) {
            hang = new CountDownLatch(1);
        }
        fault = how;
    }

    /**
     * Makes the driver throw an {@link Error} instead of making a {@link CallableStatement}, which no pool asks for.
     *
     * @param errors from now on
     */
    public void errorsInUse(boolean errors) {
        errorsInUse = errors;
    }

    /** Makes the next validation of a connection hang until {@link #release()}, and then succeed. */
    public void nextValidationHangs() {
        nextValidation.set(new CountDownLatch(1));
    }

    /**
     * Whether the validation of {@link #nextValidationHangs()} has begun.
     *
     * @return true from then on
     */
    public boolean validationHangs() {
        return hangingValidation != null;
    }

    /** Ends the hanging of connects, which are refused, and of a validation, which succeeds. */
    public void release() {
        hang.countDown();
        nextValidation.set(null);
        CountDownLatch validation = hangingValidation;
        if (validation != null) {
            validation.countDown();
        }
    }

    /** The server dies: every open connection is broken, every connect is refused. */
    public void stop() {
        fault = Fault.REFUSED;
        stops.incrementAndGet();
        open.forEach(connection -> connection.broken = true);
    }

    /** The server is back. */
    public void start() {
        fault = Fault.NONE;
    }

    /** Whether connects fail: a pool may try again without end. */
    public boolean refuses() {
        return fault != Fault.NONE;
    }

    /** Connects that have begun and have not ended. */
    public int connecting() {
        return connecting.get();
    }

    /**
     * Physical connections that are open.
     *
     * @return never negative
     */
    public int open() {
        return openNow.get();
    }

    /**
     * The most physical connections that were open at once.
     *
     * @return never negative
     */
    public int peak() {
        return peak.get();
    }

    /**
     * How many connects were tried, well or not.
     *
     * @return never negative
     */
    public long connectAttempts() {
        return connectAttempts.get();
    }

    /**
     * How many physical connections were ever opened.
     *
     * @return never negative
     */
    public long opened() {
        return opened.get();
    }

    /** How many of the first so many connections that were ever opened are open now. */
    public int openOfTheFirst(long number) {
        return (int) open.stream().filter(one -> one.number <= number).count();
    }

    private Connection counted() throws SQLException {
        connecting.incrementAndGet();
        try {
            return connect();
        } finally {
            connecting.decrementAndGet();
        }
    }

    private Connection connect() throws SQLException {
        connectAttempts.incrementAndGet();
        int stopsBefore = stops.get();
        pause(connectNanos);
        switch (fault) {
            case NONE -> {}
            case REFUSED -> throw refused();
            case WRONG_PASSWORD -> throw new SQLException("stub: password authentication failed", "28P01");
            case NO_SUCH_DATABASE -> throw new SQLException("stub: no such database", "3D000");
            case TOO_MANY_CONNECTIONS -> throw new SQLException("stub: too many clients", "53300");
            case BROKEN_DRIVER -> throw new NoClassDefFoundError("stub: a class of the driver");
            case HANGING -> {
                await(hang);
                throw refused();
            }
        }
        DataSource behind = real;
        StubConnection connection =
                new StubConnection(opened.incrementAndGet(), behind == null ? null : behind.getConnection());
        open.add(connection);
        // A connect that was under way while the server was stopped came too late to be among those that broke.
        if (stops.get() != stopsBefore) {
            connection.broken = true;
        }
        int now = openNow.incrementAndGet();
        peak.accumulateAndGet(now, Math::max);
        return (Connection) Proxy.newProxyInstance(
                StubDatabase.class.getClassLoader(), new Class<?>[] {Connection.class}, connection::invoke);
    }

    private static SQLException refused() {
        return new SQLException("stub: connection refused", "08001", new ConnectException("connection refused"));
    }

    private static void pause(long nanos) throws SQLException {
        if (nanos > 0) {
            try {
                TimeUnit.NANOSECONDS.sleep(nanos);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SQLException("stub: interrupted while connecting", e);
            }
        }
    }

    private static void await(CountDownLatch latch) throws SQLException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("stub: interrupted while connecting", e);
        }
    }

    /** One physical connection: remembers the few settings a pool resets, and whether it is closed. */
    @NullUnmarked
    private final class StubConnection {
        /** What a real connection does not answer. */
        private static final Set<String> OWN =
                Set.of("close", "abort", "isClosed", "hashCode", "equals", "toString", "getCatalog");

        private volatile boolean closed;
        private volatile boolean broken;
        private boolean autoCommit = true;
        private final long number;
        private final @Nullable Connection real;
        private String catalog;

        StubConnection(long number, @Nullable Connection real) {
            this.number = number;
            this.real = real;
            this.catalog = "stub-" + number;
        }

        Object invoke(Object proxy, Method method, @Nullable Object[] args) throws Throwable {
            if (real != null && method.getName().equals("setCatalog")) {
                catalog = (String) args[0];
                return null;
            }
            return real != null && !OWN.contains(method.getName()) ? ofReal(method, args) : own(proxy, method, args);
        }

        private Object ofReal(Method method, @Nullable Object[] args) throws Throwable {
            try {
                return method.invoke(real, args);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        }

        private Object own(Object proxy, Method method, @Nullable Object[] args) throws SQLException {
            switch (method.getName()) {
                case "close", "abort" -> {
                    if (real != null) {
                        real.close();
                    }
                    closed = true;
                    // Two threads may be here at once.
                    if (open.remove(this)) {
                        openNow.decrementAndGet();
                    }
                    return null;
                }
                case "isClosed" -> {
                    return closed;
                }
                case "isValid" -> {
                    CountDownLatch validation = nextValidation.getAndSet(null);
                    if (validation != null) {
                        hangingValidation = validation;
                        await(validation);
                    }
                    return !closed && !broken;
                }
                case "getAutoCommit" -> {
                    return autoCommit;
                }
                case "setAutoCommit" -> {
                    autoCommit = (Boolean) args[0];
                    return null;
                }
                case "hashCode" -> {
                    return System.identityHashCode(proxy);
                }
                case "equals" -> {
                    return proxy == args[0];
                }
                case "toString" -> {
                    return "stub connection " + number;
                }
                case "unwrap" -> {
                    return unwrapped((Class<?>) args[0], proxy);
                }
                case "isWrapperFor" -> {
                    return ((Class<?>) args[0]).isInstance(proxy);
                }
                case "getCatalog" -> {
                    check();
                    return catalog;
                }
                default -> {
                    return other(proxy, method);
                }
            }
        }

        private Object unwrapped(Class<?> type, Object proxy) throws SQLException {
            if (!type.isInstance(proxy)) {
                throw new SQLException("stub: not a wrapper for " + type.getName());
            }
            return proxy;
        }

        private void check() throws SQLException {
            if (closed || broken) {
                throw new SQLException("stub: connection is broken", "08006");
            }
        }

        private Object other(Object proxy, Method method) throws SQLException {
            check();
            if (method.isDefault() && method.getParameterCount() == 0) {
                return null;
            }
            Class<?> type = method.getReturnType();
            if (type == int.class) {
                return Connection.TRANSACTION_READ_COMMITTED;
            }
            if (type == boolean.class) {
                return false;
            }
            if (type == CallableStatement.class && errorsInUse) {
                throw new NoClassDefFoundError("stub: a class of the driver");
            }
            if (Statement.class.isAssignableFrom(type) || type == DatabaseMetaData.class) {
                return StubResource.of(type, (Connection) proxy, null);
            }
            return null;
        }
    }

    private final class Counted extends MinimalDataSource {
        @Override
        public Connection getConnection() throws SQLException {
            return counted();
        }
    }
}
