// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.footprint;

/**
 * What one JVM measured.
 *
 * @param java the version of its Java
 * @param firstBuildMs how long the first pool took to wrap
 * @param furtherBuildMs how long each further one took, mean
 * @param firstCallMs how long the first {@code getConnection()} and {@code close()} of the first wrapper took, right
 *     after it was built
 * @param classes classes loaded by the first build and the first call
 * @param threads threads more than before, all pools wrapped
 * @param builtKib heap kept for each further pool, built and not used
 * @param usedKib the same after ten threads have used it
 * @param restedKib the same after that and the whole rest
 * @param idleMsPerMinute processor time of the JVM while all pools rest
 * @param ownMsPerMinute processor time of flexpool's own threads alone meanwhile, without the compiler's and the collector's
 * @param allocatedMibPerMinute what its threads allocate meanwhile
 */
record Measurement(
        String java,
        double firstBuildMs,
        double furtherBuildMs,
        double firstCallMs,
        double classes,
        double threads,
        double builtKib,
        double usedKib,
        double restedKib,
        double idleMsPerMinute,
        double ownMsPerMinute,
        double allocatedMibPerMinute) {}
