// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.advisor;

/**
 * One size; its components are the JSON file's fields.
 *
 * @param arrivals how requests came
 * @param leases how long leases were
 * @param demand leases that are open on average
 * @param seed which trace
 * @param method the method
 * @param size what it recommended
 * @param optimum the smallest size with which the fresh trace meets the target
 * @param met whether the fresh trace meets it with the recommended one
 */
public record AdvisorRow(
        String arrivals, String leases, double demand, long seed, String method, int size, int optimum, boolean met) {}
