// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Exempts a test, or all tests of a class, from {@link NoIoWhileHeld} and {@value LeaseRules#NO_IO_PARAMETER}. */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface IoAllowed {
    /**
     * The reason, for readers of the test.
     *
     * @return a sentence
     */
    String value();
}
