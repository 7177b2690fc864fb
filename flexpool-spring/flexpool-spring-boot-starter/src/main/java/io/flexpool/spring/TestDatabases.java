// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import javax.sql.DataSource;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.util.ClassUtils;

/**
 * Recognises the embedded databases with which Spring Boot replaces a pool in {@code @DataJpaTest} and other slices of
 * an application. With flexpool-junit5 they are wrapped, with default settings only: otherwise its check would find no
 * leak in such a test. Loaded only if spring-jdbc is present.
 */
final class TestDatabases {
    private static final boolean CHECKED =
            ClassUtils.isPresent("io.flexpool.junit5.LeakCheck", TestDatabases.class.getClassLoader());

    private TestDatabases() {}

    /** Whether a data source is such a database, and flexpool-junit5 is present. */
    static boolean contain(DataSource dataSource) {
        return CHECKED && dataSource instanceof EmbeddedDatabase;
    }
}
