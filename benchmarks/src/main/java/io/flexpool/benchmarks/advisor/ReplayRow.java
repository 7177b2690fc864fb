// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.advisor;

/**
 * How long something took; its components are the JSON file's fields.
 *
 * @param what {@code replay} of all sizes, {@code advice} as a whole, or {@code replay, nested} where one thread in twenty
 *     holds two connections
 * @param seconds how long, without a warm-up
 */
public record ReplayRow(String what, double seconds) {}
