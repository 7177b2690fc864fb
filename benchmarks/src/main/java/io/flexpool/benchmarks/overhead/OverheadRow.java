// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import org.jspecify.annotations.Nullable;

/**
 * One variant under one load.
 *
 * @param threads threads that open and close
 * @param pool connections in the pool
 * @param variant its name
 * @param cpuMedianNs CPU time per cycle, median over the rounds
 * @param diffMedianNs the same less bare's of the same round, median over the rounds
 * @param diffP25Ns the lower quartile of those differences
 * @param diffP75Ns the upper quartile of those differences
 * @param inIdeals diffMedianNs over the ideal's; null where the ideal was not run
 * @param bytesPerOp bytes allocated per cycle
 */
public record OverheadRow(
        int threads,
        int pool,
        String variant,
        double cpuMedianNs,
        double diffMedianNs,
        double diffP25Ns,
        double diffP75Ns,
        @Nullable Double inIdeals,
        double bytesPerOp) {}
