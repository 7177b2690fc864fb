// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

/**
 * What a class of requests may have of a gate's permits.
 *
 * @param guarantee the part of the limit that it gets before others, 0 to 1
 * @param max how many permits it ever has at once, at least 1; {@link Integer#MAX_VALUE} for any number; {@link #SPARING}
 */
public record ClassShare(double guarantee, int max) {
    /** All but one, which is left to the first class while that {@linkplain ClassGate#spares is in use}. */
    public static final int SPARING = 0;
}
