// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

/** Receives the progress of a run, on the thread that runs it. */
@FunctionalInterface
public interface Steps {
    /**
     * Several steps are done.
     *
     * @param steps how many, 0 or more
     * @param doing what comes next, or was just done
     */
    void steps(long steps, String doing);

    /**
     * One more step is done.
     *
     * @param doing what comes next, or was just done
     */
    default void step(String doing) {
        steps(1, doing);
    }
}
