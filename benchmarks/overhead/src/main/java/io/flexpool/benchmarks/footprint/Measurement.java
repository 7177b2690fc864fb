// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.footprint;

import java.io.IOException;

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
        double allocatedMibPerMinute) {
    private static final int FIGURES = 11;

    /** One line, for {@link #parse}. */
    String line() {
        double[] figures = {
            firstBuildMs,
            furtherBuildMs,
            firstCallMs,
            classes,
            threads,
            builtKib,
            usedKib,
            restedKib,
            idleMsPerMinute,
            ownMsPerMinute,
            allocatedMibPerMinute
        };
        StringBuilder line = new StringBuilder(java);
        for (double figure : figures) {
            line.append(' ').append(figure);
        }
        return line.toString();
    }

    /**
     * Reads what {@link #line} wrote.
     *
     * @throws IOException if it is another line
     */
    static Measurement parse(String line) throws IOException {
        String[] words = line.split(" ", -1);
        if (words.length != FIGURES + 1) {
            throw new IOException("not a measurement: " + line);
        }
        double[] read = new double[FIGURES];
        for (int at = 0; at < FIGURES; at++) {
            read[at] = Double.parseDouble(words[at + 1]);
        }
        return new Measurement(
                words[0], read[0], read[1], read[2], read[3], read[4], read[5], read[6], read[7], read[8], read[9],
                read[10]);
    }
}
