// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.slice;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;

/** The slices of an application, by the names of Spring Boot 4. */
final class Slice {
    private Slice() {}

    /** Repositories, on an embedded database. */
    @DataJpaTest
    @Retention(RetentionPolicy.RUNTIME)
    @interface OfJpa {}

    /** JDBC, on an embedded database. */
    @JdbcTest
    @Retention(RetentionPolicy.RUNTIME)
    @interface OfJdbc {}

    /** JDBC, on the application's own pool. */
    @JdbcTest
    @AutoConfigureTestDatabase(replace = AutoConfigureTestDatabase.Replace.NONE)
    @Retention(RetentionPolicy.RUNTIME)
    @interface OfJdbcWithItsPool {}

    /** An embedded database in a whole application. */
    @AutoConfigureTestDatabase
    @Retention(RetentionPolicy.RUNTIME)
    @interface WithTestDatabase {}
}
