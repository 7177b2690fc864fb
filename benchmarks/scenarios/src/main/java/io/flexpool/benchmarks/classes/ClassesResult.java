// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.classes;

/**
 * One figure.
 *
 * @param experiment {@code a}: batch work beside interactive requests
 * @param variant how the connections are shared
 * @param ofClass {@code interactive}: the 99th percentile of the wait, milliseconds; {@code batch}: leases a second
 * @param value the median of the rounds
 * @param goal what it must not exceed, or, of batch work, not fall below; NaN where it is only compared with
 * @param met whether it is within the goal
 */
public record ClassesResult(
        String experiment, String variant, String ofClass, double value, double goal, boolean met) {}
