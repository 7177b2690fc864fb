// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.function.Supplier;

/**
 * A contender with one choice of its parameters.
 *
 * @param parameters in words
 * @param controller makes a fresh one for each run
 */
public record Candidate(String parameters, Supplier<SimController> controller) {}
