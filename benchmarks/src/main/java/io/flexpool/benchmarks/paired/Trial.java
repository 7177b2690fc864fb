// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.paired;

import io.flexpool.benchmarks.paired.isolated.SlicedWorkload;
import java.util.List;

/**
 * What the variants of one comparison have in common.
 *
 * @param load what the progress bar calls it
 * @param workload the class that each variant loads anew
 * @param threads threads that run it at the same time, from 1
 * @param settings what the workload's constructor takes after the variant's name: values of the JDK's types, because
 *     no others cross from one class loader to another
 */
public record Trial(String load, Class<? extends SlicedWorkload> workload, int threads, List<?> settings) {}
