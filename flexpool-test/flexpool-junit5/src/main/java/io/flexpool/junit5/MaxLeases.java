// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Fails a test, or each test of a class, that takes more leases than allowed, of all pools together, with its {@code
 * @BeforeEach} and {@code @AfterEach}. A method's limit replaces its class's limit, and both replace
 * {@value LeaseRules#MAX_PARAMETER}.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@ExtendWith(LeaseRules.class)
public @interface MaxLeases {
    /**
     * The maximum number of leases of a test.
     *
     * @return the number, from 0 on
     */
    int value();
}
