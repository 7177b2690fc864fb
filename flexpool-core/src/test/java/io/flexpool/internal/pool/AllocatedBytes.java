// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Prints how many bytes one cycle allocates beyond the driver: of a lease, of a statement and of a result set. A program, for
 * {@link AllocationTest} interprets it: the compiler would remove objects.
 */
final class AllocatedBytes {
    /** So few that most rounds have no sampled lease: one in 256 is sampled, and its stack costs memory. */
    private static final int CYCLES = 100;

    private static final int ROUNDS = 40;
    private static final int ROWS = 10;

    /** In place of a base: leases are timed. */
    private static final int TIMED = -1;

    private static int row;

    private static final ResultSet RESULTS =
            proxy(ResultSet.class, (proxy, method, arguments) -> switch (method.getName()) {
                case "next" -> row++ < ROWS;
                case "getInt" -> 1;
                default -> answer(proxy, method);
            });
    private static final PreparedStatement STATEMENT = proxy(PreparedStatement.class, (proxy, method, arguments) -> {
        row = 0;
        return switch (method.getName()) {
            case "executeQuery" -> RESULTS;
            default -> answer(proxy, method);
        };
    });
    private static final Connection DRIVER =
            proxy(Connection.class, (proxy, method, arguments) -> switch (method.getName()) {
                case "prepareStatement" -> STATEMENT;
                default -> answer(proxy, method);
            });

    private static final ObjectName THREADS = threads();
    private static final Object[] THREAD = {Thread.currentThread().getId()};
    private static final String[] SIGNATURE = {"long"};

    private AllocatedBytes() {}

    private static ObjectName threads() {
        try {
            return new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME);
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException(e);
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object answer(Object proxy, Method method) {
        return switch (method.getName()) {
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals", "isClosed", "isWrapperFor" -> false;
            case "toString" -> "driver";
            default -> null;
        };
    }

    private interface Cycle {
        void run() throws SQLException;
    }

    /** Of one cycle; the minimum of many rounds, less what the measurement itself allocates. */
    private static long bytes(Cycle cycle) throws Exception {
        return (min(cycle) - min(() -> {})) / CYCLES;
    }

    private static long min(Cycle cycle) throws Exception {
        long min = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long before = allocated();
            for (int at = 0; at < CYCLES; at++) {
                cycle.run();
            }
            min = Math.min(min, allocated() - before);
        }
        return min;
    }

    /** Through the MBean: the class that has the method is not of the Java platform's API. */
    private static long allocated() throws Exception {
        return (Long) ManagementFactory.getPlatformMBeanServer()
                .invoke(THREADS, "getThreadAllocatedBytes", THREAD, SIGNATURE);
    }

    private static void statement(Connection connection) throws SQLException {
        PreparedStatement statement = connection.prepareStatement("select 1");
        statement.setInt(1, 1);
        statement.close();
    }

    private static void query(Connection connection) throws SQLException {
        PreparedStatement statement = connection.prepareStatement("select 1");
        statement.setInt(1, 1);
        ResultSet results = statement.executeQuery();
        while (results.next()) {
            results.getInt(1);
        }
        results.close();
        statement.close();
    }

    /** No arguments. */
    public static void main(String[] arguments) throws Exception {
        for (int base : new int[] {0, 4, TIMED}) {
            String kind = base == TIMED ? "timed " : "";
            DataSource source = proxy(
                    DataSource.class,
                    (proxy, method, values) ->
                            method.getName().equals("getConnection") ? DRIVER : answer(proxy, method));
            FlexPoolBuilder builder = FlexPool.wrap(source).name("allocates-" + base);
            FlexPoolDataSource pool = (base <= 0
                            ? builder.set("time-in-database", base == TIMED)
                            : builder.set("base", base).set("acquisition-timeout", Duration.ofSeconds(5)))
                    .build();
            System.out.println(
                    kind + "lease " + bytes(() -> pool.getConnection().close()));
            try (Connection leased = pool.getConnection()) {
                long statement = bytes(() -> statement(leased)) - bytes(() -> statement(DRIVER));
                long query = bytes(() -> query(leased)) - bytes(() -> query(DRIVER));
                System.out.println(kind + "statement " + statement);
                System.out.println(kind + "results " + (query - statement));
            }
        }
        System.exit(0);
    }
}
