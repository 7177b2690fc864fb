// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test, or all tests of a class, may leave connections out when they end. What is out then is not held against a later
 * test either.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface LeakAllowed {
    /**
     * Why, for whoever reads the test.
     *
     * @return a sentence
     */
    String value();
}
