// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

/**
 * Which requests a {@link LeaseSink} wants, by the time at which they asked. Immutable.
 *
 * @param fromNanos the first wanted, by the pool's clock
 * @param untilNanos the first not wanted any more; the same as {@code fromNanos} if none is wanted
 */
public record WantedArrivals(long fromNanos, long untilNanos) {
    /**
     * Requests that took so long, from the moment they asked until their lease ended, are wanted by every sink.
     */
    public static final long LONG_NANOS = 1_000_000_000;
}
