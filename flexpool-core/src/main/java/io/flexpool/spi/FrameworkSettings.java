// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.pool.Ticker;
import java.util.Map;

/**
 * What frameworks and tests may say of a pool beside what applications do: see
 * {@link io.flexpool.FlexPoolBuilder#framework}. For one thread.
 */
public interface FrameworkSettings {
    /**
     * Takes properties, as {@link io.flexpool.FlexPoolBuilder#properties(Map)} does, and says where they were written.
     *
     * @param properties keys and values as text; copied
     * @param origin where they were written, for refusals
     */
    void properties(Map<?, ?> properties, String origin);

    /**
     * Checks of the properties given so far what can be checked without a pool: that each key is known, and that each value
     * is of its kind. Makes nothing. For those who get their pools later.
     *
     * @throws IllegalArgumentException naming all that is wrong: key, value and what is allowed
     */
    void checkProperties();

    /**
     * Adds a metrics backend that is configured by properties under its own name, and stands for the one of that name on
     * the class path. Where properties name backends ({@code flexpool.metrics}), it is made only if it is among them.
     *
     * @param provider makes the backend when the pool is built; of several with one name the first counts
     */
    void metrics(MetricsProvider provider);

    /**
     * Gives the clock, for tests.
     *
     * @param clock by default {@link Ticker#SYSTEM}
     */
    void ticker(Ticker clock);
}
