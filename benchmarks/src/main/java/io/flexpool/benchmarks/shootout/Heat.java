// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import org.jspecify.annotations.Nullable;

/**
 * What one JVM measured in one round, on an unused pool.
 *
 * @param round the load
 * @param ms from the first cycle's start to the last one's end, milliseconds
 * @param cpuMs the CPU time of the whole JVM meanwhile, milliseconds
 * @param answered cycles whose query was answered
 * @param errors cycles that ended with an exception; they are not repeated
 * @param firstError class and message of the first of them; null if there was none
 * @param openAtStart physical connections before the first cycle
 * @param peak the most physical connections that were open at once
 * @param openAtEnd physical connections after the last cycle, when their number no longer changed
 */
record Heat(
        Assignment.Round round,
        double ms,
        double cpuMs,
        long answered,
        long errors,
        @Nullable String firstError,
        int openAtStart,
        int peak,
        int openAtEnd) {}
