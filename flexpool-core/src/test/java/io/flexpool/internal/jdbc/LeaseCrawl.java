// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.CharArrayReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.Writer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Struct;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Walks from a lease over a real connection to everything that JDBC lets an application reach. Each way, from one class
 * by one method to another class, is gone {@value #ROUNDS} times, and what stands at its end is walked from then on.
 */
abstract class LeaseCrawl {
    private static final int ROUNDS = 3;

    /** What leads on, or holds what does. */
    private static final List<Class<?>> PLACES = List.of(
            Connection.class,
            Statement.class,
            PreparedStatement.class,
            CallableStatement.class,
            ResultSet.class,
            DatabaseMetaData.class,
            ResultSetMetaData.class,
            ParameterMetaData.class,
            Array.class,
            Struct.class,
            Ref.class,
            Blob.class,
            Clob.class,
            NClob.class,
            SQLXML.class);

    /** What reads and writes through a connection. */
    private static final List<Class<?>> STREAMS =
            List.of(InputStream.class, Reader.class, OutputStream.class, Writer.class);

    /** Streams of the JDK over memory, which drivers pass for values that they hold completely. */
    private static final Set<Class<?>> IN_MEMORY =
            Set.of(ByteArrayInputStream.class, StringReader.class, CharArrayReader.class);

    /**
     * Calls that the driver may see after the lease: closes, which free what the pool has left open; whether an object is
     * closed, and how a closed one refuses; what a structure and a driver's version are without a connection.
     */
    private static final Set<String> AFTER_THE_LEASE = Set.of(
            "AutoCloseable.close",
            "ResultSet.close",
            "ResultSet.getFetchSize",
            "ResultSet.isClosed",
            "Statement.close",
            "Statement.getMaxRows",
            "Statement.isClosed",
            "Array.free",
            "Struct.getAttributes",
            "Struct.getSQLTypeName",
            "DatabaseMetaData.getDriverMajorVersion",
            "DatabaseMetaData.getDriverMinorVersion");

    private final RecordedDriver driver = new RecordedDriver();
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<String, Integer> gone = new HashMap<>();
    /** Methods that have led somewhere. */
    private final Set<String> ways = new TreeSet<>();

    private LeasedConnection lease;

    /** A connection to a database that has what the texts below name. */
    abstract Connection connect() throws SQLException;

    /** A query with many rows, and a column for each kind of value. */
    abstract String query();

    /** A query with one parameter, a number. */
    abstract String prepared();

    /** A call with one parameter that is set, and what it puts out. */
    abstract String call();

    /** Registers what a call puts out, and sets its parameter. */
    abstract void prepareCall(CallableStatement call) throws SQLException;

    /** A type of which the database makes arrays. */
    abstract String elementType();

    /** Ways that this database and its driver really have; by all others the walk may or may not get on. */
    abstract Collection<String> expectedWays();

    /** Ways of the list below that this driver refuses. */
    Collection<String> missingWays() {
        return List.of();
    }

    static boolean isPlace(Object reached) {
        return PLACES.stream().anyMatch(type -> type.isInstance(reached));
    }

    static boolean isInMemory(Object reached) {
        return IN_MEMORY.contains(reached.getClass());
    }

    private static boolean isStream(Object reached) {
        return STREAMS.stream().anyMatch(type -> type.isInstance(reached));
    }

    @BeforeEach
    void begin() throws SQLException {
        lease = new LeasedConnection(driver.recorded(Connection.class, connect()), new CountedLease(), 0, 0);
    }

    @AfterEach
    void end() throws SQLException {
        lease.close();
    }

    @Test
    void noWayFromALeaseLeadsToThePoolsOwn() throws Exception {
        visit(lease);
        List<String> common = new ArrayList<>(List.of(
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
                "ResultSet.getBlob/1",
                "ResultSet.getClob/1",
                "ResultSet.getStatement/0",
                "DatabaseMetaData.getColumns/4",
                "DatabaseMetaData.getConnection/0",
                "DatabaseMetaData.getTables/4",
                "DatabaseMetaData.getTypeInfo/0",
                "PreparedStatement.getMetaData/0",
                "PreparedStatement.getParameterMetaData/0",
                "ResultSet.getMetaData/0"));
        common.removeAll(missingWays());
        assertThat(ways).containsAll(common).containsAll(expectedWays());
    }

    @Test
    void afterTheLeaseNothingThatWasReachedLeadsAnywhere() throws Exception {
        visit(lease);
        lease.close();
        for (Object place : seen) {
            for (Method method : methods(place)) {
                for (@Nullable Object[] arguments : arguments(method, 1)) {
                    assertThat(leadsTo(place, method, arguments))
                            .as("%s of a %s", method, place.getClass())
                            .noneMatch(reached -> isPlace(reached) || isStream(reached));
                }
            }
        }
    }

    /** Whatever the application has kept: no call of it runs on a connection that somebody else may hold. */
    @Test
    void afterTheLeaseNoCallReachesTheDriver() throws Exception {
        visit(lease);
        lease.close();
        driver.forget();
        Map<Method, Object[]> arguments = new HashMap<>();
        for (Object place : seen) {
            for (Method method : allMethods(place)) {
                try {
                    method.invoke(place, arguments.computeIfAbsent(method, JdbcValues::arguments));
                } catch (InvocationTargetException e) {
                    if (!AFTER_THE_LEASE.contains(name(method))) {
                        assertThat(e).cause().isInstanceOfAny(SQLException.class, IOException.class);
                    }
                }
            }
        }
        assertThat(AFTER_THE_LEASE).containsAll(driver.called());
    }

    static String name(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    private static List<Method> allMethods(Object place) {
        return Stream.of(PLACES, STREAMS)
                .flatMap(List::stream)
                .filter(type -> type.isInstance(place))
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers()))
                .filter(method -> !isStream(place)
                        || Arrays.stream(method.getParameterTypes())
                                .allMatch(type -> type == int.class || type == long.class))
                .sorted(Comparator.comparing(Method::toString))
                .toList();
    }

    /** A result must be walked while it is current, so deeper first. */
    private void visit(Object place) throws Exception {
        if (!seen.add(place)) {
            return;
        }
        assertThat(place.getClass().getPackage())
                .as("%s", place.getClass())
                .isEqualTo(LeasedConnection.class.getPackage());
        if (isStream(place)) {
            return;
        }
        int columns = columns(place);
        for (Method method : methods(place)) {
            for (@Nullable Object[] arguments : arguments(method, columns)) {
                prepare(place);
                for (Object reached : leadsTo(place, method, arguments)) {
                    follow(place, method, reached);
                }
            }
        }
    }

    private static int columns(Object place) {
        try {
            return place instanceof ResultSet results ? results.getMetaData().getColumnCount() : 3;
        } catch (SQLException closedByItsStatement) {
            return 3;
        }
    }

    private void follow(Object place, Method method, Object reached) throws Exception {
        if (reached instanceof Connection) {
            assertThat(reached).as("%s", method).isSameAs(lease);
        }
        if (!isPlace(reached) && (!isStream(reached) || isInMemory(reached))) {
            return;
        }
        String way =
                method.getDeclaringClass().getSimpleName() + "." + method.getName() + "/" + method.getParameterCount();
        ways.add(way);
        String end = place.getClass() + " " + way + " " + reached.getClass();
        if (gone.merge(end, 1, Integer::sum) <= ROUNDS) {
            visit(reached);
        }
    }

    /** In the same order in every JVM. */
    private static List<Method> methods(Object place) {
        return PLACES.stream()
                .filter(type -> type.isInstance(place))
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(LeaseCrawl::leadsOn)
                .sorted(Comparator.comparing(Method::toString))
                .toList();
    }

    private static boolean leadsOn(Method method) {
        Class<?> result = method.getReturnType();
        return result == Object.class
                || result == Object[].class
                || PLACES.contains(result)
                || STREAMS.contains(result);
    }

    /** So that there is a current result, and a current row. */
    private void prepare(Object place) {
        try {
            makeCurrent(place);
        } catch (SQLException | RuntimeException ofADriversOwn) {
            // A statement of the driver's own making, behind a cursor or metadata, has parameters of its own; and
            // SQLite refuses a parameter that is not there by an exception of arrays.
        }
    }

    private void makeCurrent(Object place) throws SQLException {
        if (place instanceof CallableStatement call) {
            prepareCall(call);
            call.execute();
        } else if (place instanceof PreparedStatement statement) {
            statement.setInt(1, 50);
            statement.execute();
        } else if (place instanceof Statement statement) {
            statement.execute(query());
        } else if (place instanceof ResultSet results && !results.isClosed()) {
            results.next();
        }
    }

    /** What a method answers: nothing if it refuses, the elements of an array as well as the array. */
    private static List<Object> leadsTo(Object place, Method method, @Nullable Object[] arguments) throws Exception {
        Object answer;
        try {
            answer = method.invoke(place, arguments);
        } catch (InvocationTargetException e) {
            // Some drivers refuse an array of nothing, or a type they do not know, by other exceptions.
            assertThat(e).cause().isInstanceOf(Exception.class);
            return List.of();
        }
        List<Object> reached = new ArrayList<>();
        gather(answer, reached);
        return reached;
    }

    private static void gather(@Nullable Object answer, List<Object> reached) {
        if (answer instanceof Object[] elements) {
            for (Object element : elements) {
                gather(element, reached);
            }
        } else if (answer != null) {
            reached.add(answer);
        }
    }

    /** One list of arguments, or one for each column and class that can be requested. */
    private List<@Nullable Object[]> arguments(Method method, int columns) {
        Class<?>[] types = method.getParameterTypes();
        boolean ofRows =
                method.getDeclaringClass() == ResultSet.class || method.getDeclaringClass() == CallableStatement.class;
        if (!ofRows || types.length == 0) {
            return List.<@Nullable Object[]>of(arguments(method));
        }
        List<@Nullable Object[]> all = new ArrayList<>();
        for (int column = 1; column <= columns; column++) {
            @Nullable Object[] arguments = new @Nullable Object[types.length];
            arguments[0] = types[0] == int.class ? (Object) column : "c" + column;
            if (types.length == 1) {
                all.add(arguments);
            } else if (types[1] == Map.class) {
                arguments[1] = Map.of();
                all.add(arguments);
            } else if (types[1] == Class.class) {
                for (Class<?> asked : PLACES) {
                    all.add(new Object[] {arguments[0], asked});
                }
                for (Class<?> asked : STREAMS) {
                    all.add(new Object[] {arguments[0], asked});
                }
                all.add(new Object[] {arguments[0], Object.class});
            }
        }
        return all;
    }

    private @Nullable Object[] arguments(Method method) {
        if (method.getName().equals("createArrayOf")) {
            return new Object[] {elementType(), new Object[] {1, 2}};
        }
        boolean keys = method.getName().startsWith("prepare") && method.getParameterCount() == 2;
        // Type, concurrency and holdability come in this order, unless only the keys can be requested.
        int[] options = {ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY, ResultSet.HOLD_CURSORS_OVER_COMMIT};
        Map<Class<?>, Object> known = Map.of(
                String.class,
                method.getDeclaringClass() == DatabaseMetaData.class ? "%" : text(method),
                boolean.class,
                true,
                long.class,
                1L,
                Map.class,
                Map.of(),
                int[].class,
                new int[] {Statement.RETURN_GENERATED_KEYS});
        Class<?>[] types = method.getParameterTypes();
        @Nullable Object[] arguments = new @Nullable Object[types.length];
        int option = 0;
        for (int at = 0; at < types.length; at++) {
            if (types[at] == int.class) {
                arguments[at] = keys || method.getDeclaringClass() == Array.class ? 1 : options[option++];
            } else {
                arguments[at] = known.get(types[at]);
            }
        }
        return arguments;
    }

    private String text(Method method) {
        return switch (method.getName()) {
            case "prepareStatement" -> prepared();
            case "prepareCall" -> call();
            default -> query();
        };
    }
}
