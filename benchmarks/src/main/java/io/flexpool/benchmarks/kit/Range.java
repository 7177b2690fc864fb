// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Which numbers an option takes; checked by {@link OptionRules}. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Range {
    /** {@return the smallest} */
    double min() default 1;

    /** {@return the largest} */
    double max() default 10_000_000;
}
