// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.footprint;

/**
 * What each JVM does; its components are fields of the JSON file.
 *
 * @param pools how many pools are wrapped, from 2
 * @param size connections of each
 * @param restSeconds how long they rest before processor time is measured
 * @param measureSeconds how long it is measured
 */
public record Plan(int pools, int size, int restSeconds, int measureSeconds) {}
