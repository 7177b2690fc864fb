// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

/**
 * The permits of a gate that a class of requests may have.
 *
 * @param guarantee the guaranteed part of the limit, 0 to 1
 * @param max the maximum number of permits, at least 1; {@link Integer#MAX_VALUE} for any number; {@link #SPARING}
 */
public record ClassShare(double guarantee, int max) {
    /** All permits except one for the first class while that {@linkplain ClassGate#spares is in use}. */
    public static final int SPARING = 0;
}
