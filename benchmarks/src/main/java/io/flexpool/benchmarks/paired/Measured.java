// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.paired;

/**
 * What one variant cost, on the average of all threads; not rounded.
 *
 * @param variant its name
 * @param cpuMedianNs CPU nanoseconds per cycle, median over the rounds
 * @param diffMedianNs the same less the first variant's of the same round, median over the rounds
 * @param diffP25Ns the lower quartile of those differences
 * @param diffP75Ns the upper quartile of those differences
 * @param bytesPerCycle bytes allocated per cycle
 * @param figuresRead how many figures were read of it, between slices and all reads together
 */
public record Measured(
        String variant,
        double cpuMedianNs,
        double diffMedianNs,
        double diffP25Ns,
        double diffP75Ns,
        double bytesPerCycle,
        long figuresRead) {
    static Measured of(String variant, Series cpu, Series bare, double bytesPerCycle, long figuresRead) {
        Series difference = cpu.minus(bare);
        return new Measured(
                variant,
                cpu.median(),
                difference.median(),
                difference.quantile(0.25),
                difference.quantile(0.75),
                bytesPerCycle,
                figuresRead);
    }
}
