// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.openclose;

/**
 * How many times faster than no pool HikariCP was in one round.
 *
 * @param db the database
 * @param round from 0
 * @param ofMeans unpooled mean over pooled mean
 * @param ofMedians unpooled median over pooled median
 */
public record OpenCloseRatio(String db, int round, double ofMeans, double ofMedians) {
    static OpenCloseRatio of(OpenCloseResult unpooled, OpenCloseResult pooled) {
        return new OpenCloseRatio(
                pooled.db(),
                pooled.round(),
                unpooled.meanMs() / pooled.meanMs(),
                unpooled.medianMs() / pooled.medianMs());
    }
}
