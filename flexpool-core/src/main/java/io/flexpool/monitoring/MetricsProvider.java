// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.pool.RefusedValueException;
import java.util.List;

/**
 * Creates a metrics backend that properties select ({@code flexpool.metrics = dropwizard}). Loaded by
 * {@link java.util.ServiceLoader}; needs a public no-argument constructor.
 */
public interface MetricsProvider {
    /** {@return the name by which properties select it: lower case letters, digits and hyphens} */
    String name();

    /**
     * What can be configured. In properties each is called {@code flexpool.metrics.<name>.<key>}.
     *
     * @return keys without that prefix, in the order in which they are documented
     */
    List<ConfigKey> keys();

    /**
     * Creates the backend.
     *
     * @param values the configured values, by key without prefix
     * @return a new binder for each pool
     * @throws IllegalArgumentException if a value is out of range; the message names key, value and what is allowed.
     *     For a {@link RefusedValueException} key and value are reported as written, with their source
     */
    MetricsBinder create(ConfigKey.Values values);
}
