// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.pool.RefusedValueException;
import java.util.List;

/**
 * Makes a metrics backend that properties ask for ({@code flexpool.metrics = dropwizard}). Found by
 * {@link java.util.ServiceLoader}; needs a public constructor without arguments.
 */
public interface MetricsProvider {
    /**
     * The word by which properties ask for it.
     *
     * @return lower case letters, digits and hyphens, for example {@code dropwizard}
     */
    String name();

    /**
     * What can be configured. In properties each is called {@code flexpool.metrics.<name>.<key>}.
     *
     * @return keys without that prefix, in the order in which they are documented
     */
    List<ConfigKey> keys();

    /**
     * Makes the backend.
     *
     * @param values what was configured, by key without prefix
     * @return a binder of its own for each pool
     * @throws IllegalArgumentException if a value is out of range; the message names key, value and what is allowed. Of a
     *     {@link RefusedValueException} key and value are told as they were written, with where that was
     */
    MetricsBinder create(ConfigValues values);
}
