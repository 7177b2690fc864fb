// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import javax.sql.DataSource;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.util.ClassUtils;

/**
 * The embedded databases that Spring Boot puts in place of a pool in {@code @DataJpaTest} and other slices of an
 * application. They are wrapped, with nothing but defaults, if flexpool-junit5 is present: otherwise its check would find
 * no leak in such a test. Loaded only if spring-jdbc is present.
 */
final class TestDatabases {
    private static final boolean CHECKED =
            ClassUtils.isPresent("io.flexpool.junit5.LeakCheck", TestDatabases.class.getClassLoader());

    private TestDatabases() {}

    /** Whether a data source is one and leaks from it are looked for. */
    static boolean contain(DataSource dataSource) {
        return CHECKED && dataSource instanceof EmbeddedDatabase;
    }
}
