// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Walks from a lease over a real connection to everything that JDBC lets an application reach. */
class LeaseCrawlTest {
    /** A row as a value is a result set in a result set. As many as the ways that begin at a row. */
    private static final String QUERY = "SELECT ROW(1, 'a') AS C FROM SYSTEM_RANGE(1, 50)";

    private static final String PREPARED = "SELECT ROW(1, 'a') AS C FROM SYSTEM_RANGE(1, ?)";

    private static final long STACK_BYTES = 512L << 20;

    private static final List<Class<?>> PLACES = List.of(
            Connection.class,
            Statement.class,
            PreparedStatement.class,
            CallableStatement.class,
            ResultSet.class,
            DatabaseMetaData.class);

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Methods that have led somewhere. */
    private final Set<String> ways = new TreeSet<>();

    private LeasedConnection lease;

    @BeforeEach
    void begin() throws SQLException {
        Connection real = DriverManager.getConnection("jdbc:h2:mem:");
        try (Statement statement = real.createStatement()) {
            statement.execute("CREATE TABLE T(ID INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, NAME VARCHAR)");
        }
        lease = new LeasedConnection(real, new CountedLease(), 0);
    }

    @AfterEach
    void end() throws SQLException {
        lease.close();
    }

    @Test
    void noWayFromALeaseLeadsToThePoolsOwn() throws Exception {
        crawl();
        assertThat(ways)
                .contains(
                        "Connection.createStatement/0",
                        "Connection.createStatement/2",
                        "Connection.createStatement/3",
                        "Connection.prepareStatement/1",
                        "Connection.prepareStatement/2",
                        "Connection.prepareStatement/3",
                        "Connection.prepareStatement/4",
                        "Connection.prepareCall/1",
                        "Connection.prepareCall/3",
                        "Connection.prepareCall/4",
                        "Connection.getMetaData/0",
                        "Statement.executeQuery/1",
                        "Statement.getConnection/0",
                        "Statement.getGeneratedKeys/0",
                        "Statement.getResultSet/0",
                        "PreparedStatement.executeQuery/0",
                        "CallableStatement.getObject/1",
                        "CallableStatement.getObject/2",
                        "ResultSet.getObject/1",
                        "ResultSet.getObject/2",
                        "ResultSet.getStatement/0",
                        "DatabaseMetaData.getColumns/4",
                        "DatabaseMetaData.getConnection/0",
                        "DatabaseMetaData.getTables/4",
                        "DatabaseMetaData.getTypeInfo/0");
    }

    /** A result must be walked while it is current, so deeper first; how deep depends on the order of the methods. */
    private void crawl() throws InterruptedException {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Runnable fromTheLease = () -> {
            try {
                visit(lease);
            } catch (Throwable failed) {
                thrown.set(failed);
            }
        };
        Thread crawler = new Thread(null, fromTheLease, "crawler", STACK_BYTES);
        crawler.start();
        crawler.join();
        assertThat(thrown.get()).isNull();
    }

    private void visit(Object place) throws Exception {
        if (!seen.add(place)) {
            return;
        }
        assertThat(place.getClass().getPackage())
                .as("%s", place.getClass())
                .isEqualTo(LeasedConnection.class.getPackage());
        for (Class<?> type : PLACES) {
            for (Method method : type.isInstance(place) ? methods(type) : new Method[0]) {
                if (leadsOn(method)) {
                    prepare(place);
                    follow(place, method);
                }
            }
        }
    }

    /** In the same order in every JVM; in some orders of {@code getDeclaredMethods()} the walk is too long to end. */
    private static Method[] methods(Class<?> type) {
        Method[] methods = type.getDeclaredMethods();
        Arrays.sort(methods, Comparator.comparing(Method::toString));
        return methods;
    }

    private static boolean leadsOn(Method method) {
        Class<?> result = method.getReturnType();
        return result == Object.class || PLACES.contains(result);
    }

    /** So that there is a current result, and a current row. */
    private static void prepare(Object place) throws SQLException {
        if (place instanceof PreparedStatement prepared) {
            prepared.setInt(1, 50);
            if (place instanceof CallableStatement callable) {
                callable.registerOutParameter(1, Types.OTHER);
            }
            prepared.execute();
        } else if (place instanceof Statement statement) {
            statement.execute(QUERY);
        } else if (place instanceof ResultSet results && !results.isClosed()) {
            results.next();
        }
    }

    private void follow(Object place, Method method) throws Exception {
        Object reached;
        try {
            reached = method.invoke(place, arguments(method));
        } catch (InvocationTargetException e) {
            assertThat(e).cause().isInstanceOf(SQLException.class);
            return;
        }
        if (reached instanceof Connection) {
            assertThat(reached).as("%s", method).isSameAs(lease);
        }
        if (PLACES.stream().anyMatch(type -> type.isInstance(reached))) {
            ways.add(method.getDeclaringClass().getSimpleName() + "." + method.getName() + "/"
                    + method.getParameterCount());
            visit(reached);
        }
    }

    private static @Nullable Object[] arguments(Method method) {
        boolean prepares = method.getName().startsWith("prepare");
        boolean reads = method.getName().startsWith("get");
        String text = prepares ? PREPARED : reads ? "C" : QUERY;
        // Type, concurrency and holdability come in this order, wherever there is more than the keys to ask for.
        int[] options = {ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY, ResultSet.HOLD_CURSORS_OVER_COMMIT};
        int[] numbers = {Statement.RETURN_GENERATED_KEYS};
        boolean keys = reads || (prepares && method.getParameterCount() == 2);
        Map<Class<?>, Object> known = Map.of(
                String.class,
                method.getDeclaringClass() == DatabaseMetaData.class ? "%" : text,
                boolean.class,
                true,
                Class.class,
                ResultSet.class,
                int[].class,
                numbers);
        Class<?>[] types = method.getParameterTypes();
        @Nullable Object[] arguments = new @Nullable Object[types.length];
        int option = 0;
        for (int at = 0; at < types.length; at++) {
            if (types[at] == int.class) {
                arguments[at] = keys ? numbers[0] : options[option++];
            } else {
                arguments[at] = known.get(types[at]);
            }
        }
        return arguments;
    }
}
