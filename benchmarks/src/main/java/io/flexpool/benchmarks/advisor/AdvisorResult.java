// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.advisor;

/**
 * One method on all traces; its components are the JSON file's fields.
 *
 * @param method the method
 * @param traces on how many traces
 * @param metOnFresh with how many of its sizes a fresh trace of the same process met the target, as a share
 * @param meanOverOptimum by how much its sizes were above the smallest that the fresh trace needs, on average, as a share;
 *     below zero if they were smaller
 */
public record AdvisorResult(String method, int traces, double metOnFresh, double meanOverOptimum) {}
