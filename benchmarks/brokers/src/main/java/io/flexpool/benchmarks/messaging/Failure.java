// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.messaging;

/**
 * A JVM that was to measure something and failed.
 *
 * @param store the store's name
 * @param said what became of it
 */
public record Failure(String store, String said) {}
