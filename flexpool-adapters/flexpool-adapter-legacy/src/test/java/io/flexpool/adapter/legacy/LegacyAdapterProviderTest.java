// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapterProvider;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringTokenizer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An application has one of these pools, and the classes of the others are not there. */
class LegacyAdapterProviderTest {
    /** Each with the packages that are there or absent. */
    enum Pool {
        BONE_CP("BoneCP", "com.jolbox.bonecp.", "BoneCPDataSource"),
        PROXOOL("Proxool", "org.logicalcobwebs.", "proxool.ProxoolDataSource"),
        DBCP("Commons DBCP 1.4", "org.apache.commons.dbcp.", "BasicDataSource"),
        POSTGRES("PGPoolingDataSource", "org.postgresql.", "ds.PGPoolingDataSource"),
        MARIA_DB("MariaDbPoolDataSource", "org.mariadb.", "jdbc.MariaDbPoolDataSource");

        private final String type;
        private final String classes;
        private final String dataSource;

        Pool(String type, String classes, String dataSource) {
            this.type = type;
            this.classes = classes;
            this.dataSource = classes + dataSource;
        }
    }

    private static List<String> allBut(Pool pool) {
        List<String> classes = new ArrayList<>(List.of("org.h2."));
        for (Pool other : Pool.values()) {
            if (other != pool) {
                classes.add(other.classes);
            }
        }
        return classes;
    }

    @ParameterizedTest
    @EnumSource
    void withOnePoolAloneItsAdapterIsFound(Pool pool) throws Exception {
        try (Application application = new Application(allBut(pool))) {
            PoolAdapter adapter = application.adapterOf(pool.dataSource).orElseThrow();
            assertThat(adapter.getClass().getClassLoader()).isSameAs(application);
            assertThat(adapter.type()).isEqualTo(pool.type);
        }
    }

    @ParameterizedTest
    @EnumSource
    void withOnePoolAbsentTheOthersAreFound(Pool absent) throws Exception {
        try (Application application = new Application(List.of(absent.classes))) {
            for (Pool pool : Pool.values()) {
                if (pool != absent) {
                    PoolAdapter adapter = application.adapterOf(pool.dataSource).orElseThrow();
                    assertThat(adapter.type()).isEqualTo(pool.type);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anotherDataSourceHasNoAdapterWhicheverIsAbsent(Pool absent) throws Exception {
        try (Application application = new Application(List.of(absent.classes))) {
            assertThat(application.adapterOf("org.h2.jdbcx.JdbcDataSource")).isEmpty();
        }
    }

    /** The test's class path without some packages; what the test itself speaks of is the test's. */
    private static final class Application extends URLClassLoader {
        private final List<String> absent;

        Application(List<String> absent) throws Exception {
            super("application", classPath(), LegacyAdapterProviderTest.class.getClassLoader());
            this.absent = absent;
        }

        Optional<PoolAdapter> adapterOf(String dataSource) throws Exception {
            PoolAdapterProvider provider = (PoolAdapterProvider) loadClass(LegacyAdapterProvider.class.getName())
                    .getConstructor()
                    .newInstance();
            return provider.adapt(
                    (DataSource) loadClass(dataSource).getConstructor().newInstance());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (absent.stream().anyMatch(name::startsWith)) {
                throw new ClassNotFoundException(name);
            }
            if (!isTheTests(name)) {
                synchronized (getClassLoadingLock(name)) {
                    Class<?> loaded = findLoadedClass(name);
                    return loaded == null ? findClass(name) : loaded;
                }
            }
            return super.loadClass(name, resolve);
        }

        private static boolean isTheTests(String name) {
            return !(name.startsWith("io.flexpool.adapter.legacy.")
                    || name.startsWith("org.h2.")
                    || Stream.of(Pool.values()).anyMatch(pool -> name.startsWith(pool.classes)));
        }

        private static URL[] classPath() throws Exception {
            List<URL> urls = new ArrayList<>();
            StringTokenizer entries =
                    new StringTokenizer(System.getProperty("java.class.path", ""), File.pathSeparator);
            while (entries.hasMoreTokens()) {
                urls.add(Path.of(entries.nextToken()).toUri().toURL());
            }
            return urls.toArray(URL[]::new);
        }
    }
}
