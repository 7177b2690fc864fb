// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import com.mysql.cj.jdbc.JdbcConnection;
import io.flexpool.server.ServerViewProvider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/** Which driver made a connection, also where one of the two drivers is not on the class path. */
class MySqlServerViewProviderTest {
    private static final long ID = 4711;

    /** As a pool's around one of MySQL's driver. */
    private static Connection ofMySql() {
        Connection[] physical = new Connection[1];
        physical[0] = (Connection) Proxy.newProxyInstance(
                MySqlServerViewProviderTest.class.getClassLoader(),
                new Class<?>[] {JdbcConnection.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "isWrapperFor" -> ((Class<?>) arguments[0]).isInstance(proxy);
                    case "unwrap" -> proxy;
                    case "getId" -> ID;
                    default -> throw new AssertionError(method);
                });
        return (Connection) Proxy.newProxyInstance(
                MySqlServerViewProviderTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "isWrapperFor" -> physical[0].isWrapperFor((Class<?>) arguments[0]);
                    case "unwrap" -> physical[0].unwrap((Class<?>) arguments[0]);
                    default -> throw new AssertionError(method);
                });
    }

    private static ServerViewProvider without(String driver) throws ReflectiveOperationException {
        return (ServerViewProvider) new WithoutDriver(driver)
                .loadClass(MySqlServerViewProvider.class.getName())
                .getConstructor()
                .newInstance();
    }

    @Test
    void isFoundByTheServiceLoader() {
        assertThat(ServiceLoader.load(ServerViewProvider.class))
                .hasAtLeastOneElementOfType(MySqlServerViewProvider.class)
                .extracting(ServerViewProvider::product)
                .containsExactlyInAnyOrder("PostgreSQL", "MySQL or MariaDB");
    }

    @Test
    void mySqlsDriverKnowsTheSession() throws Exception {
        ServerViewProvider provider = new MySqlServerViewProvider();
        assertThat(provider.supports(ofMySql())).isTrue();
        assertThat(provider.session(ofMySql())).hasValue(ID);
    }

    @Test
    void mariaDbsDriverIsNotNeededForMySqls() throws Exception {
        ServerViewProvider provider = without("org.mariadb.");
        assertThat(provider.supports(ofMySql())).isTrue();
        assertThat(provider.session(ofMySql())).hasValue(ID);
    }

    @Test
    void withoutItsDriverAConnectionIsNotSupported() throws Exception {
        ServerViewProvider provider = without("com.mysql.");
        assertThat(provider.supports(ofMySql())).isFalse();
        assertThat(provider.session(ofMySql())).isEmpty();
    }

    /** This module's classes, in an application that lacks one driver. */
    private static final class WithoutDriver extends ClassLoader {
        private static final String OURS = MySqlServerViewProvider.class.getPackageName() + ".";

        private final String driver;

        WithoutDriver(String driver) {
            super(MySqlServerViewProvider.class.getClassLoader());
            this.driver = driver;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith(driver)) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith(OURS)) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream bytes = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] all = bytes.readAllBytes();
                return defineClass(name, all, 0, all.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
