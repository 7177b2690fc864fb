// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.footprint;

import java.util.Locale;

/**
 * What is compared; all on HikariCP over the same stub driver. Constants without code: a JVM that measures its first
 * build must not have loaded what a build loads.
 */
enum Subject {
    /** HikariCP alone. */
    BARE,
    /** flexpool that only watches. */
    WATCHED,
    /** flexpool with a base, growth and retry, so that the gate limits. */
    BOUND,
    /** The same without an advice on the size, for which leases are recorded. */
    BOUND_ADVICE_OFF,
    /** The same, in a Dropwizard registry that all pools share. */
    BOUND_DROPWIZARD,
    /** The same, in a Micrometer registry that all pools share. */
    BOUND_MICROMETER,
    /** flexpool whose sizing controller moves the limit. */
    ACTING,
    /** FlexyPool with growth and retry and metrics that do nothing. */
    FLEXYPOOL,
    /** FlexyPool with growth and retry and its Dropwizard metrics. */
    FLEXYPOOL_DROPWIZARD;

    /** Whether flexpool's goals are about it. */
    boolean flexpool() {
        return this != BARE && this != FLEXYPOOL && this != FLEXYPOOL_DROPWIZARD;
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
