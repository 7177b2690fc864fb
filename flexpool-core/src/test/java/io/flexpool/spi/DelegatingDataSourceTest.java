// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.Writer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ConnectionBuilder;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.ShardingKeyBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every method of a data source reaches the pool: also those that a newer JDK adds with a default. */
class DelegatingDataSourceTest {
    private static final Map<Class<?>, Object> ANSWERS = Map.of(
            Connection.class,
            some(Connection.class),
            ConnectionBuilder.class,
            some(ConnectionBuilder.class),
            ShardingKeyBuilder.class,
            some(ShardingKeyBuilder.class),
            PrintWriter.class,
            new PrintWriter(Writer.nullWriter()),
            Logger.class,
            Logger.getLogger("pool"),
            Object.class,
            "unwrapped",
            int.class,
            17,
            boolean.class,
            true);

    private static final class Delegating extends DelegatingDataSource {
        private final DataSource pool;

        Delegating(DataSource pool) {
            this.pool = pool;
        }

        @Override
        protected DataSource pool() {
            return pool;
        }
    }

    private static Object some(Class<?> type) {
        return Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> switch (method.getName()) {
                    case "equals" -> proxy == given[0];
                    case "hashCode" -> type.hashCode();
                    default -> type.getSimpleName();
                });
    }

    static Stream<Method> methods() {
        return Arrays.stream(DataSource.class.getMethods()).filter(method -> !Modifier.isStatic(method.getModifiers()));
    }

    private static DataSource pool(InvocationHandler answer) {
        return (DataSource)
                Proxy.newProxyInstance(DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, answer);
    }

    /** Of a type that the delegating one does not have itself. */
    private static Object[] arguments(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(type -> type == Class.class
                        ? (Object) Connection.class
                        : type == int.class ? 5 : type == String.class ? "text" : ANSWERS.get(type))
                .toArray();
    }

    @ParameterizedTest
    @MethodSource("methods")
    void aCallReachesThePoolAndItsAnswerTheCaller(Method method) throws Exception {
        Object[] given = arguments(method);
        Object answer = ANSWERS.get(method.getReturnType());
        boolean[] reached = {false};
        DataSource pool = pool((proxy, called, seen) -> {
            assertThat(called).isEqualTo(method);
            assertThat(seen == null ? List.of() : List.of(seen)).isEqualTo(List.of(given));
            reached[0] = true;
            return answer;
        });

        assertThat(method.invoke(new Delegating(pool), given)).isEqualTo(answer);
        assertThat(reached[0]).isTrue();
    }

    @ParameterizedTest
    @MethodSource("methods")
    void thePoolsExceptionIsTheCallers(Method method) {
        SQLFeatureNotSupportedException refused = new SQLFeatureNotSupportedException("refused");
        DataSource pool = pool((proxy, called, seen) -> {
            throw refused;
        });

        assertThatThrownBy(() -> method.invoke(new Delegating(pool), arguments(method)))
                .isInstanceOf(InvocationTargetException.class)
                .cause()
                .isSameAs(refused);
    }

    @Test
    void itUnwrapsToItselfWithoutThePool() throws SQLException {
        DataSource pool = pool((proxy, called, seen) -> called.getName().equals("toString") ? "orders" : null);
        Delegating source = new Delegating(pool);

        assertThat(source.isWrapperFor(Delegating.class)).isTrue();
        assertThat(source.unwrap(Delegating.class)).isSameAs(source);
        assertThat(source.unwrap(DataSource.class)).isSameAs(source);
        assertThat(source).hasToString("orders");
    }
}
