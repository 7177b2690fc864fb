// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

/**
 * One sample of a competitor's pool.
 *
 * @param second since the load began
 * @param limit how many connections may be out
 * @param held physical connections
 * @param leased active connections
 * @param pending requests that wait
 */
record Sample(double second, int limit, int held, int leased, int pending) {}
