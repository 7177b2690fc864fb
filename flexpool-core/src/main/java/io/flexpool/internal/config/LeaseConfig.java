// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.pool.CallSiteCapture;
import java.util.List;

/**
 * What is recorded of open leases, and what is done about those that do not end. All of it has been checked.
 *
 * @param capture of which leases the call site is captured
 * @param sampleEvery of one in how many, if sampled
 * @param ignored beginnings of class names that are no call site, beside the built-in ones
 * @param statementText whether the running SQL is noted
 * @param timeInDatabase whether calls into the database are timed
 * @param leakNanos from what age on a lease is suspected; Long.MAX_VALUE for never
 * @param reclaimNanos from what age on a lease is taken back; Long.MAX_VALUE for never
 * @param strict whether a nested acquisition is refused
 */
public record LeaseConfig(
        CallSiteCapture capture,
        int sampleEvery,
        List<String> ignored,
        boolean statementText,
        boolean timeInDatabase,
        long leakNanos,
        long reclaimNanos,
        boolean strict) {

    /**
     * One lease in so many has its call site captured, if nothing else is said. Measured on JDK 17 on a busy machine, a
     * walk costs 2.1 µs and 2.2 KB if the application is 5 frames away from its pool, 5.8 µs and 4.3 KB with 30 frames
     * between, 10 µs and 7 KB with 60.
     */
    public static final int SAMPLE_EVERY = 256;

    /**
     * A slot's call sites are not sampled more often than this, nanoseconds. Code that runs rarely is cold, and then the
     * shortest of those walks costs 35 to 90 µs. So sampling takes at most about two thousandths of a thread's time, however
     * fast its leases follow each other; up to 5,000 leases a second it is one in {@value #SAMPLE_EVERY}.
     */
    public static final long SAMPLE_GAP_NANOS = 50_000_000;

    /** Whether calls into the database are noticed at all. */
    public boolean watchesCalls() {
        return statementText || timeInDatabase;
    }
}
