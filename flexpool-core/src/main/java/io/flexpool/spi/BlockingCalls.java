// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import org.jspecify.annotations.Nullable;

/**
 * Runs a part's calls that may block, one at a time, on a thread that exists only while there is work. A call that does not return
 * is logged, and the next one runs on another thread, up to a maximum. Thread-safe. Made by flexpool alone; minor releases add
 * methods.
 */
public interface BlockingCalls {
    /**
     * Runs a call, unless another one runs that does not hang, or the maximum hangs.
     *
     * @param what names it in logs, for example {@code renewal}
     * @param work the call; what it throws is counted and logged
     * @return false if it was dropped
     */
    boolean run(String what, Runnable work);

    /**
     * Which calls hang.
     *
     * @param nowNanos the time of the pool's clock
     * @return a sentence without a full stop; null if none hangs
     */
    @Nullable
    String hanging(long nowNanos);

    /** Interrupts running calls and rejects further ones. */
    void close();
}
