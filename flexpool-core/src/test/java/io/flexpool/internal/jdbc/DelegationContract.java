// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.atMostOnce;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import java.io.Closeable;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLNonTransientException;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Struct;
import java.sql.Wrapper;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.MockSettings;
import org.mockito.Mockito;

/** What every delegate keeps, method by method, for the interface that it implements. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DelegationContract<T> {
    /** The newest JDK whose java.sql is known to be that of 17. A later one may add defaults that 17 cannot override. */
    private static final int NEWEST_SAME_JDK = 25;

    private static final List<Class<?>> VALUES =
            List.of(Array.class, Struct.class, Ref.class, Blob.class, Clob.class, NClob.class, SQLXML.class);

    /** What leads to a connection, and so is wrapped. */
    private static final List<Class<?>> LEADING = Stream.concat(
                    Stream.of(
                            Statement.class,
                            ResultSet.class,
                            DatabaseMetaData.class,
                            ResultSetMetaData.class,
                            ParameterMetaData.class),
                    VALUES.stream())
            .toList();

    /** What reads and writes through a connection. */
    private static final List<Class<?>> STREAMS =
            List.of(InputStream.class, OutputStream.class, Reader.class, Writer.class);

    private static final Set<String> UNWRAPPING = Set.of("unwrap", "isWrapperFor");

    private final Class<T> type;
    private final int largestBytes;
    private final Set<String> answersAfterTheEnd;

    /**
     * @param type the interface
     * @param largestBytes how large a delegate may be
     * @param answersAfterTheEnd methods that are no SQLException after the lease; they have tests of their own
     */
    DelegationContract(Class<T> type, int largestBytes, Set<String> answersAfterTheEnd) {
        this.type = type;
        this.largestBytes = largestBytes;
        this.answersAfterTheEnd = answersAfterTheEnd;
    }

    /** A delegate over a target, and the lease it belongs to. */
    record Leased<T>(T target, T delegate, LeasedConnection lease) {}

    abstract Leased<T> over(T target);

    /** What a driver's object also is. */
    public interface Special {}

    private MockSettings special() {
        return Wrapper.class.isAssignableFrom(type)
                ? withSettings().extraInterfaces(Special.class)
                : withSettings().extraInterfaces(Special.class, Wrapper.class);
    }

    static LeasedConnection lease() {
        return lease(mock(Connection.class));
    }

    static LeasedConnection lease(Connection target) {
        return new LeasedConnection(target, new CountedLease(), 42, 0);
    }

    final Leased<T> leased() {
        return over(mock(type));
    }

    private Leased<T> ended() throws SQLException {
        Leased<T> leased = leased();
        leased.lease().close();
        Mockito.<Object>clearInvocations(leased.target());
        return leased;
    }

    final Stream<Method> allMethods() {
        // In one order in every run: mutation tests name a case by its number.
        return Arrays.stream(type.getMethods())
                .sorted(Comparator.comparing(Method::toString))
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> !method.isDefault()
                        || Runtime.version().feature() <= NEWEST_SAME_JDK
                        || declaredByUs(leased().delegate(), method));
    }

    final Stream<Method> delegatedMethods() {
        return allMethods().filter(method -> !UNWRAPPING.contains(method.getName()));
    }

    final Stream<Method> methodsThatEnd() {
        return delegatedMethods().filter(method -> !answersAfterTheEnd.contains(method.getName()));
    }

    private static boolean ours(Class<?> of) {
        return of.getPackage() == LeasedConnection.class.getPackage() && !of.isInterface();
    }

    private static boolean declaredByUs(Object delegate, Method method) {
        try {
            return ours(delegate.getClass()
                    .getMethod(method.getName(), method.getParameterTypes())
                    .getDeclaringClass());
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("allMethods")
    void noMethodIsAnInheritedDefault(Method method) {
        assertThat(declaredByUs(leased().delegate(), method)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("delegatedMethods")
    void everyMethodReachesTheTargetOnce(Method method) throws Exception {
        Object[] arguments = JdbcValues.arguments(method);
        List<Object> results = JdbcValues.results(method);
        if (results.isEmpty()) {
            Leased<T> leased = leased();
            method.invoke(leased.delegate(), arguments);
            assertReachedOnce(leased.target(), method, arguments);
        }
        for (Object result : results) {
            Leased<T> leased = leased();
            when(method.invoke(leased.target(), arguments)).thenReturn(result);
            Mockito.<Object>clearInvocations(leased.target());
            Object actual = method.invoke(leased.delegate(), arguments);
            assertReachedOnce(leased.target(), method, arguments);
            assertHandedOut(actual, result, leased.lease());
            leased.lease().close();
            assertEnded(actual);
        }
    }

    private void assertReachedOnce(T target, Method method, Object[] arguments) throws Exception {
        method.invoke(verify(target, times(1)), arguments);
        verifyNoMoreInteractions(target);
    }

    /** What leads back to a connection is wrapped, and the wrapper leads to the target's object; the rest is the same. */
    private static void assertHandedOut(Object actual, Object result, LeasedConnection lease) throws Exception {
        if (result instanceof Connection) {
            assertThat(actual).isSameAs(lease);
        } else if (LEADING.stream().anyMatch(type -> type.isInstance(result))) {
            assertThat(ours(actual.getClass())).isTrue();
            assertThat(((Wrapper) actual).unwrap(result.getClass())).isSameAs(result);
        } else if (result instanceof Object[] elements && actual != result) {
            assertThat((Object[]) actual).hasSameSizeAs(elements);
            for (int at = 0; at < elements.length; at++) {
                assertHandedOut(((Object[]) actual)[at], elements[at], lease);
            }
        } else if (STREAMS.stream().anyMatch(type -> type.isInstance(result))) {
            assertThat(ours(actual.getClass())).as("a stream of ours").isTrue();
            ((Closeable) actual).close();
        } else {
            assertThat(actual).isEqualTo(result);
        }
    }

    private static void assertEnded(Object actual) {
        if (actual instanceof Object[] elements) {
            Arrays.stream(elements).forEach(DelegationContract::assertEnded);
        } else if (actual instanceof Wrapper wrapper && !(actual instanceof Connection) && ours(actual.getClass())) {
            assertThatThrownBy(() -> wrapper.isWrapperFor(Special.class)).hasMessageContaining("is closed");
        }
    }

    /** Drivers cast what they are given back to their own classes. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("methodsThatTakeValues")
    void wrappedArgumentsReachTheTargetUnwrapped(Method method) throws Exception {
        Class<?>[] types = method.getParameterTypes();
        for (int place = 0; place < types.length; place++) {
            for (Class<?> valueType : VALUES) {
                if (types[place] == Object[].class || types[place].isAssignableFrom(valueType)) {
                    Leased<T> leased = leased();
                    Object value = mock(valueType);
                    Object wrapped = LeasedValues.out(value, leased.lease());
                    boolean array = types[place] == Object[].class;
                    Object[] arguments = JdbcValues.arguments(method);
                    arguments[place] = array ? new Object[] {1, wrapped} : wrapped;
                    method.invoke(leased.delegate(), arguments);
                    arguments[place] = array ? new Object[] {1, value} : value;
                    assertReachedOnce(leased.target(), method, arguments);
                }
            }
        }
    }

    final Stream<Method> methodsThatTakeValues() {
        return delegatedMethods()
                .filter(method -> Arrays.stream(method.getParameterTypes())
                        .anyMatch(type -> type == Object[].class
                                || VALUES.stream().anyMatch(value -> type.isAssignableFrom(value))));
    }

    @ParameterizedTest
    @MethodSource("delegatedMethods")
    void nullFromTheTargetStaysNull(Method method) throws Exception {
        if (method.getReturnType().isPrimitive()) {
            return;
        }
        Leased<T> leased = leased();
        Object[] arguments = JdbcValues.arguments(method);
        when(method.invoke(leased.target(), arguments)).thenReturn(null);
        assertThat(method.invoke(leased.delegate(), arguments)).isNull();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("methodsThatEnd")
    void everyMethodAfterTheLeaseThrows(Method method) throws Exception {
        Leased<T> leased = ended();
        Object[] arguments = JdbcValues.arguments(method);
        assertThatThrownBy(() -> method.invoke(leased.delegate(), arguments))
                .isInstanceOf(InvocationTargetException.class)
                .cause()
                .satisfies(this::isThatOfAClosedObject);
        assertAskedOnlyWhetherItIsClosed(leased.target());
    }

    /** What a framework derives from the class and the state: no connection was lost by a call that came too late. */
    private void isThatOfAClosedObject(Throwable thrown) {
        assertThat(thrown).isInstanceOf(SQLException.class);
        String state = ((SQLException) thrown).getSQLState();
        if (type == Connection.class || type == DatabaseMetaData.class) {
            assertThat(state).isEqualTo("08003");
            assertThat(thrown)
                    .hasMessage("Connection is closed")
                    .isInstanceOfAny(SQLNonTransientConnectionException.class, SQLClientInfoException.class);
        } else {
            assertThat(thrown)
                    .isExactlyInstanceOf(SQLNonTransientException.class)
                    .hasMessage(closed(type));
            assertThat(state).isEqualTo(type == ResultSet.class ? "24000" : "HY010");
        }
    }

    /** The text for a closed object of a kind. */
    static String closed(Class<?> type) {
        if (type == ResultSet.class) {
            return "ResultSet is closed: its connection is closed";
        }
        return Statement.class.isAssignableFrom(type)
                ? "Statement is closed: its connection is closed"
                : "Connection is closed";
    }

    private static void assertAskedOnlyWhetherItIsClosed(Object target) throws SQLException {
        if (target instanceof Statement statement) {
            verify(statement, atMostOnce()).isClosed();
        } else if (target instanceof ResultSet results) {
            verify(results, atMostOnce()).isClosed();
        }
        verifyNoMoreInteractions(target);
    }

    @ParameterizedTest
    @MethodSource("delegatedMethods")
    void whatTheTargetThrowsComesThroughAsTheSameObject(Method method) throws Exception {
        List<Throwable> failures =
                new ArrayList<>(List.of(new IllegalStateException("own"), new AssertionError("own")));
        for (Class<?> declared : method.getExceptionTypes()) {
            failures.add(
                    declared == SQLClientInfoException.class ? new SQLClientInfoException() : new SQLException("own"));
        }
        for (Throwable failure : failures) {
            Leased<T> leased = leased();
            Object[] arguments = JdbcValues.arguments(method);
            method.invoke(doThrow(failure).when(leased.target()), arguments);
            assertThatThrownBy(() -> method.invoke(leased.delegate(), arguments))
                    .cause()
                    .isSameAs(failure);
        }
    }

    @Test
    void aDelegateIsNoLargerThanPromised() {
        int bytes = 12;
        for (Class<?> of = leased().delegate().getClass(); of != Object.class; of = of.getSuperclass()) {
            for (Field field : of.getDeclaredFields()) {
                bytes += Modifier.isStatic(field.getModifiers()) ? 0 : bytes(field.getType());
            }
        }
        assertThat((bytes + 7) / 8 * 8).isLessThanOrEqualTo(largestBytes);
    }

    /** With compressed references. */
    private static int bytes(Class<?> field) {
        if (field == long.class || field == double.class) {
            return 8;
        }
        if (field == byte.class || field == boolean.class) {
            return 1;
        }
        return field == short.class || field == char.class ? 2 : 4;
    }

    @Test
    void aDelegateEqualsItselfAlone() throws SQLException {
        T target = mock(type);
        Leased<T> first = over(target);
        Leased<T> second = over(target);
        assertThat(first.delegate().equals(second.delegate())).isFalse();
        assertThat(first.delegate().equals(target)).isFalse();
        assertThat(Set.of(first.delegate())).contains(first.delegate());
    }

    @Test
    void aDelegateKeepsItsHashAfterTheLease() throws SQLException {
        Leased<T> leased = over(mock(type));
        int hash = leased.delegate().hashCode();
        leased.lease().close();
        assertThat(leased.delegate().hashCode()).isEqualTo(hash).isEqualTo(System.identityHashCode(leased.delegate()));
    }

    @Test
    void itsTextIsTheTargetsWithOurName() {
        Leased<T> leased = leased();
        when(leased.target().toString()).thenReturn("the target's text");
        assertThat(leased.delegate())
                .hasToString(
                        leased.delegate() instanceof LeasedValue && type != DatabaseMetaData.class
                                ? "the target's text"
                                : "flexpool:the target's text");
    }

    @Test
    void unwrapsToItselfThenToTheTarget() throws SQLException {
        Leased<T> leased = over(mock(type, special()));
        T itself = leased.target();
        Wrapper target = (Wrapper) itself;
        Wrapper delegate = (Wrapper) leased.delegate();
        when(target.unwrap(String.class)).thenReturn("inner");
        when(target.isWrapperFor(String.class)).thenReturn(true);
        assertThat(delegate.unwrap(type)).isSameAs(delegate);
        assertThat(delegate.isWrapperFor(type)).isTrue();
        assertThat(delegate.unwrap(Special.class)).isSameAs(target);
        assertThat(delegate.isWrapperFor(Special.class)).isTrue();
        assertThat(delegate.unwrap(String.class)).isEqualTo("inner");
        assertThat(delegate.isWrapperFor(String.class)).isTrue();
        assertThat(delegate.isWrapperFor(Runnable.class)).isFalse();
    }

    @Test
    void anUnwrapThatFindsNothingNamesTheInterface() throws SQLException {
        Wrapper delegate = (Wrapper) leased().delegate();
        assertThatThrownBy(() -> delegate.unwrap(Runnable.class))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("java.lang.Runnable");
        assertThatThrownBy(() -> delegate.unwrap(null)).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> delegate.isWrapperFor(null)).isInstanceOf(SQLException.class);
    }

    @Test
    void afterTheLeaseItUnwrapsToItselfAlone() throws SQLException {
        Leased<T> leased = over(mock(type, special()));
        leased.lease().close();
        Mockito.<Object>clearInvocations(leased.target());
        Wrapper delegate = (Wrapper) leased.delegate();
        assertThat(delegate.unwrap(type)).isSameAs(delegate);
        assertThat(delegate.isWrapperFor(type)).isTrue();
        assertThatThrownBy(() -> delegate.unwrap(Special.class)).satisfies(this::isThatOfAClosedObject);
        assertAskedOnlyWhetherItIsClosed(leased.target());
        Mockito.<Object>clearInvocations(leased.target());
        assertThatThrownBy(() -> delegate.isWrapperFor(Special.class)).satisfies(this::isThatOfAClosedObject);
        assertAskedOnlyWhetherItIsClosed(leased.target());
    }
}
