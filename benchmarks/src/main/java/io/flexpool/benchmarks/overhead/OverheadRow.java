// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import org.jspecify.annotations.Nullable;

/**
 * One variant under one load, with slices of one length, in one JVM.
 *
 * @param threads threads that open and close
 * @param pool connections in the pool
 * @param sliceMs how long a variant ran in each round
 * @param variant its name
 * @param cpuNs CPU time per cycle, median over the rounds
 * @param dNs the same less bare's of the same round, median over the rounds
 * @param dP25Ns the lower quartile of those differences
 * @param dP75Ns the upper quartile of those differences
 * @param inIdeals dNs over the ideal's; null where the ideal was not run
 * @param bytes allocated per cycle
 */
record OverheadRow(
        int threads,
        int pool,
        int sliceMs,
        String variant,
        double cpuNs,
        double dNs,
        double dP25Ns,
        double dP75Ns,
        @Nullable Double inIdeals,
        double bytes) {}
