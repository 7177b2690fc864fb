// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.openclose;

/**
 * What the article published, from another machine and year: stands beside what was measured, never in its place.
 *
 * @param source the article
 * @param unpooled its cycle without a pool
 * @param hikaricp its cycle with HikariCP
 * @param ofMeans the ratio it claims, which is one of means
 */
public record Published(String source, Figures unpooled, Figures hikaricp, double ofMeans) {
    /**
     * One column of its table.
     *
     * @param minMs the shortest cycle
     * @param maxMs the longest cycle
     * @param meanMs the arithmetic mean
     * @param stddevMs the standard deviation
     * @param medianMs the median
     */
    public record Figures(double minMs, double maxMs, double meanMs, double stddevMs, double medianMs) {}

    static final Published ARTICLE = new Published(
            "The anatomy of connection pooling, 2014",
            new Figures(74.551414, 146.69324, 78.216549, 5.9438335, 76.150440),
            new Figures(0.002633, 125.528047, 0.128900, 3.969438, 0.003218),
            600);
}
