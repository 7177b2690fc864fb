// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.statementpath;

/**
 * One variant.
 *
 * @param variant its name
 * @param cpuMedianNs CPU nanoseconds per cycle, median over the rounds
 * @param diffMedianNs the same less bare's of the same round, median over the rounds
 * @param diffP25Ns the lower quartile of those differences
 * @param diffP75Ns the upper quartile of those differences
 * @param diffPercent diffMedianNs in per cent of bare's cpuMedianNs
 * @param bytesPerCycle bytes allocated per cycle
 * @param bytesOverBare the same less bare's
 * @param bytesOverBarePerStatement what a cycle without the query allocates, less bare's
 * @param bytesOverBarePerResultSet the rest: what the query adds to that
 */
public record StatementPathRow(
        String variant,
        double cpuMedianNs,
        double diffMedianNs,
        double diffP25Ns,
        double diffP75Ns,
        double diffPercent,
        double bytesPerCycle,
        double bytesOverBare,
        double bytesOverBarePerStatement,
        double bytesOverBarePerResultSet) {}
