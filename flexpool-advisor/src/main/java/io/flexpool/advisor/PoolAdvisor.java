// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advice.SizeAdvice;
import io.flexpool.spi.LeaseSink;
import org.jspecify.annotations.Nullable;

/**
 * Works out how many connections one pool needs, from the blocks that it takes. Keeps what it needs of them in bounded memory.
 * {@link #advise} runs beside {@link #take}, on another thread.
 */
interface PoolAdvisor extends LeaseSink {
    /**
     * Works out an advice. May take a second; called by one thread at a time, which is no request's.
     *
     * @param request what is asked
     * @return null if too little was recorded yet
     */
    @Nullable
    SizeAdvice advise(AdviceRequest request);
}
