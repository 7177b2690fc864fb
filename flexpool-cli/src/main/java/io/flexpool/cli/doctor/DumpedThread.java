// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a dump. Immutable.
 *
 * @param state {@code RUNNABLE} if the dump does not have it
 * @param stack from the top
 * @param waitsFor the address of the lock for which it waits; null if it waits for none, or that is unknown
 * @param owns the addresses of the locks that it has
 * @param id the address by which the JVM's own log names it; 0 if the dump does not have it
 */
record DumpedThread(
        String name,
        Thread.State state,
        List<StackTraceElement> stack,
        @Nullable String waitsFor,
        Set<String> owns,
        long id) {}
