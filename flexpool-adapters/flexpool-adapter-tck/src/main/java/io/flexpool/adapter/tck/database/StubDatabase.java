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
 * A stub database that counts connections. A test sets the duration and the failures of connects. Statements do
 * nothing, but return their connection like a driver's. The catalog of a connection is its number, so that a test can
 * distinguish physical connections. Thread-safe.
 */
public final class StubDatabase {
    /** The failure of a connect. */
    public enum Fault {
        /** No failure. */
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
    /** Null unless the next validation must hang. */
    private final AtomicReference<@Nullable CountDownLatch> nextValidation = new AtomicReference<>();

    private volatile @Nullable CountDownLatch hangingValidation;
    private final DataSource dataSource = new Counted();
    /** Null unless connections lead to a real database. */
    private volatile @Nullable DataSource real;

    private final AtomicReference<@Nullable String> url = new AtomicReference<>();

    /** Creates a database that accepts connects at once. */
    public StubDatabase() {}

    /**
     * The data source of this database.
     *
     * @return always the same object
     */
    public DataSource dataSource() {
        return dataSource;
    }

    /**
     * The URL under which {@link StubDriver} connects to this database, while this object is referenced.
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
     * Makes each further connect open a connection of a real database. The stub counts these connections too, and
     * stores their catalog.
     *
     * @param database the data source of the real database
     */
    public void leadsTo(DataSource database) {
        real = database;
    }

    /**
     * Makes connects slow.
     *
     * @param duration the duration of all further connects; not negative
     * @return this database
     */
    public StubDatabase connectTakes(Duration duration) {
        connectNanos = duration.toNanos();
        return this;
    }

    /**
     * Makes connects fail.
     *
     * @param how the failure of all further connects
     */
    public void fault(Fault how) {
        if (how == Fault.HANGING) {
            hang = new CountDownLatch(1);
        }
        fault = how;
    }

    /**
     * Makes the driver throw an {@link Error} from {@code prepareCall}, which no pool uses.
     *
     * @param errors whether to throw
     */
    public void errorsInUse(boolean errors) {
        errorsInUse = errors;
    }

    /** Makes the next validation of a connection hang until {@link #release()}; it then succeeds. */
    public void nextValidationHangs() {
        nextValidation.set(new CountDownLatch(1));
    }

    /**
     * Whether the validation of {@link #nextValidationHangs()} has begun.
     *
     * @return true after its begin
     */
    public boolean validationHangs() {
        return hangingValidation != null;
    }

    /** Ends hanging calls: connects are refused, a validation succeeds. */
    public void release() {
        hang.countDown();
        nextValidation.set(null);
        CountDownLatch validation = hangingValidation;
        if (validation != null) {
            validation.countDown();
        }
    }

    /** Stops the server: breaks all open connections, and refuses all connects. */
    public void stop() {
        fault = Fault.REFUSED;
        stops.incrementAndGet();
        open.forEach(connection -> connection.broken = true);
    }

    /** Starts the server again. */
    public void start() {
        fault = Fault.NONE;
    }

    /** Whether connects fail, so that a pool may retry without end. */
    public boolean refuses() {
        return fault != Fault.NONE;
    }

    /** The number of connects in progress. */
    public int connecting() {
        return connecting.get();
    }

    /**
     * The number of open physical connections.
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
     * The number of attempted connects, successful or not.
     *
     * @return never negative
     */
    public long connectAttempts() {
        return connectAttempts.get();
    }

    /**
     * The number of physical connections ever opened.
     *
     * @return never negative
     */
    public long opened() {
        return opened.get();
    }

    /** The number of open connections among the first {@code number} that were opened. */
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
        // A connect that was in progress during a stop is broken too.
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

    /** One physical connection. Stores the settings that pools reset, and whether it is closed. */
    @NullUnmarked
    private final class StubConnection {
        /** The methods that the stub handles itself, not the real connection. */
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
                    // Two threads may close at the same time; only one counts.
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
