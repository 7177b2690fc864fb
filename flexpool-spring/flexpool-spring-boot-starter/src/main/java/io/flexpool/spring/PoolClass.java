// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Sets the class of the connection requests of a Spring bean's method, on its thread and until it returns, as in a
 * {@link io.flexpool.PoolScope}:
 *
 * <pre>{@code
 * @PoolClass("batch")
 * @Transactional
 * public void closeTheDay() { … }
 * }</pre>
 *
 * <p>On a class or an interface it applies to all its methods, inherited ones included; the annotation of a method
 * takes precedence. Subclasses and implementations inherit it. It may annotate your own annotation. It has no effect on
 * a method that is called by another method of the same object (as {@code @Transactional}), on work that begins on
 * another thread, or on the subscription to a returned {@code Publisher}.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface PoolClass {
    /**
     * {@return the name of the class, as in {@code flexpool.classes}. A pool without classes ignores it; a pool without
     *     this class uses its last class}
     */
    String value();
}
