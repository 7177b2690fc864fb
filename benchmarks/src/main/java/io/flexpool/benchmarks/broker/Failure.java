// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

/**
 * A JVM that was to measure something and failed.
 *
 * @param store the store's name
 * @param said what became of it
 */
record Failure(String store, String said) {}
