// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Of which class the requests are that a method of a Spring bean makes for connections, on its thread and until it returns, as
 * if it ran in a {@link io.flexpool.PoolScope}:
 *
 * <pre>{@code
 * @PoolClass("batch")
 * @Transactional
 * public void closeTheDay() { … }
 * }</pre>
 *
 * <p>On a class or an interface it stands for all of its methods, those included that it inherits; what a method says comes
 * first. A subclass and an implementation have it too. It may stand on an annotation of your own. As with
 * {@code @Transactional}, a method that another one of the same object calls is not seen, and what begins on another thread,
 * or when a returned {@code Publisher} is subscribed to, is of no class by this.
 */
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface PoolClass {
    /** {@return the name of the class, as in {@code flexpool.classes}; a pool without classes takes no notice, and in one with others the last one counts} */
    String value();
}
