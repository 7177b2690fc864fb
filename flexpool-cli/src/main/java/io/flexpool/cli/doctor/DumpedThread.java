// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a dump. Immutable.
 *
 * @param state the state; {@code RUNNABLE} if the dump lacks it
 * @param stack the stack, top first
 * @param waitsFor the address of the awaited lock; null without one, or if unknown
 * @param owns the addresses of the owned locks
 * @param id the address by which the JVM's event log names the thread; 0 if the dump lacks it
 */
record DumpedThread(
        String name,
        Thread.State state,
        List<StackTraceElement> stack,
        @Nullable String waitsFor,
        Set<String> owns,
        long id) {}
