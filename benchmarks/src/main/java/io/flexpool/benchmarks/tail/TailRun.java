// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

import io.flexpool.benchmarks.kit.JvmFacts;

/**
 * One window of one JVM.
 *
 * @param jvm what of the JVM the figures depend on
 * @param variant what stood around the pool
 * @param round which of the variant's JVMs on that Java, from 0; those of one round ran one after the other
 * @param window which of its windows, from 0
 * @param figures what it gave
 */
record TailRun(JvmFacts jvm, String variant, int round, int window, TailWindow figures) {}
