// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advice.SizeAdvice;
import io.flexpool.spi.LeaseSink;
import org.jspecify.annotations.Nullable;

/**
 * Calculates the number of connections that one pool needs, from recorded blocks. Its memory is bounded.
 * {@link #advise} runs on another thread, concurrently with {@link #take}.
 */
interface PoolAdvisor extends LeaseSink {
    /**
     * Calculates advice. May take a second. Called by one thread at a time, never by a request's thread.
     *
     * @param request the input beside the recorded requests
     * @return the advice; null if too few requests were recorded
     */
    @Nullable
    SizeAdvice advise(AdviceRequest request);
}
