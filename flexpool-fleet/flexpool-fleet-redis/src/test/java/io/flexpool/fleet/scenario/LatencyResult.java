// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

/**
 * How long a renewal takes.
 *
 * @param store its name
 * @param members how many the store knows
 * @param renewals that were measured
 * @param p50Micros the median, microseconds
 * @param p99Micros the 99th percentile
 * @param maxMicros the longest
 */
record LatencyResult(String store, int members, int renewals, double p50Micros, double p99Micros, double maxMicros) {}
