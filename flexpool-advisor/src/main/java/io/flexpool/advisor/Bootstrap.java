// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Resamples a trace by a block bootstrap (Künsch 1989): draws blocks of it with replacement and concatenates them.
 * Bursts shorter than a block stay together.
 */
final class Bootstrap {
    static final long BLOCK_NANOS = 5_000_000_000L;
    /** The maximum number of blocks. Beyond 57 days blocks get longer, because a damaged file may show any length. */
    private static final long MOST_BLOCKS = 1_000_000;

    private static final int NONE = LeaseTrace.NONE;

    private final LeaseTrace trace;
    /** The first request of each block, and after the last block the number of requests. */
    private final int[] firsts;

    private final long blockNanos;

    Bootstrap(LeaseTrace trace) {
        this.trace = trace;
        long last = trace.size == 0 ? 0 : trace.arrival[trace.size - 1];
        this.blockNanos = Math.max(BLOCK_NANOS, last / MOST_BLOCKS + 1);
        int blocks = trace.size == 0 ? 0 : (int) (last / blockNanos) + 1;
        this.firsts = new int[blocks + 1];
        int at = 0;
        for (int block = 0; block < blocks; block++) {
            while (at < trace.size && trace.arrival[at] / blockNanos < block) {
                at++;
            }
            firsts[block] = at;
        }
        firsts[blocks] = trace.size;
    }

    /** The number of blocks; with few blocks a resampled trace is little evidence. */
    int blocks() {
        return firsts.length - 1;
    }

    /** A resampled trace; the same for the same seed. */
    LeaseTrace resampled(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] drawn = random.ints(blocks(), 0, Math.max(1, blocks())).toArray();
        int count = Arrays.stream(drawn)
                .map(block -> firsts[block + 1] - firsts[block])
                .sum();
        int[] requests = new int[count];
        long[] shift = new long[count];
        int[] begins = new int[count];
        int at = 0;
        for (int place = 0; place < drawn.length; place++) {
            int begin = at;
            for (int request = firsts[drawn[place]]; request < firsts[drawn[place] + 1]; request++) {
                requests[at] = request;
                shift[at] = (place - drawn[place]) * blockNanos;
                begins[at++] = begin;
            }
        }
        return trace.copy(requests, shift, copied -> {
            int held = trace.outer[requests[copied]];
            int first = requests[begins[copied]];
            // The outer lease began in another block, which is not before this one.
            return held == NONE || held < first ? NONE : begins[copied] + held - first;
        });
    }
}
