// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.cold;

/**
 * One variant. A JVM's figure is the median of its calls; the three figures in nanoseconds below say how these are
 * spread over the JVMs.
 *
 * @param variant its name
 * @param medianNs the median JVM's median call
 * @param medianP25Ns the lower quartile over the JVMs
 * @param medianP75Ns the upper quartile over the JVMs
 * @param p99Ns the median JVM's 99th percentile
 * @param sumMs all calls of the median JVM together, in milliseconds; the first one opens the pool
 * @param inBare a JVM's median call over bare's of the same round, median over the rounds
 */
public record ColdRow(
        String variant,
        double medianNs,
        double medianP25Ns,
        double medianP75Ns,
        double p99Ns,
        double sumMs,
        double inBare) {}
