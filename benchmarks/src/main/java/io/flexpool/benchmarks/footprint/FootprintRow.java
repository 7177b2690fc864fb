// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.footprint;

import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.paired.Measured;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One subject in one kind of JVM, spread over the JVMs.
 *
 * @param variant the subject's name
 * @param java the version of Java
 * @param processors how many processors each JVM saw
 * @param firstBuildMs how long the first pool took to wrap
 * @param furtherBuildMs how long each further one took
 * @param firstCallMs how long the first call of the first wrapper took
 * @param classes classes that the first build and the first call loaded
 * @param threads threads more with all pools wrapped
 * @param builtKib heap kept a pool, built and not used
 * @param usedKib heap kept a pool after ten threads have used it
 * @param restedKib heap kept a pool after use and rest
 * @param idleMsPerMinute processor time of the JVM while all pools rest
 * @param idleMsPerMinutePerPool what that is more than bare's of the same round, a pool
 * @param ownMsPerMinute processor time of flexpool's own threads alone meanwhile: without that of the JVM's compiler, which
 *     has more to do the younger the JVM is
 * @param allocatedMibPerMinute what all threads allocate meanwhile
 */
public record FootprintRow(
        String variant,
        String java,
        int processors,
        Spread firstBuildMs,
        Spread furtherBuildMs,
        Spread firstCallMs,
        Spread classes,
        Spread threads,
        Spread builtKib,
        Spread usedKib,
        Spread restedKib,
        Spread idleMsPerMinute,
        Spread idleMsPerMinutePerPool,
        Spread ownMsPerMinute,
        Spread allocatedMibPerMinute) {
    /**
     * Of all JVMs of one kind.
     *
     * @param jvms the subject's, by round; at least one
     * @param bare bare's of the same rounds
     * @param pools pools of each
     */
    static FootprintRow of(Subject subject, int processors, List<Measurement> jvms, List<Measurement> bare, int pools) {
        double[] more = new double[jvms.size()];
        for (int round = 0; round < more.length; round++) {
            double idle = jvms.get(round).idleMsPerMinute() - bare.get(round).idleMsPerMinute();
            more[round] = Measured.rounded(idle / pools);
        }
        return new FootprintRow(
                subject.toString(),
                jvms.get(0).java(),
                processors,
                spread(jvms, Measurement::firstBuildMs),
                spread(jvms, Measurement::furtherBuildMs),
                spread(jvms, Measurement::firstCallMs),
                spread(jvms, Measurement::classes),
                spread(jvms, Measurement::threads),
                spread(jvms, Measurement::builtKib),
                spread(jvms, Measurement::usedKib),
                spread(jvms, Measurement::restedKib),
                spread(jvms, Measurement::idleMsPerMinute),
                Spread.of(Arrays.stream(more)),
                spread(jvms, Measurement::ownMsPerMinute),
                spread(jvms, Measurement::allocatedMibPerMinute));
    }

    private static Spread spread(List<Measurement> jvms, ToDoubleFunction<Measurement> figure) {
        return Spread.of(jvms.stream().mapToDouble(jvm -> Measured.rounded(figure.applyAsDouble(jvm))));
    }
}
