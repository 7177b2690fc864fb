// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import io.flexpool.spi.SessionInsight.SessionsLeft;
import org.jspecify.annotations.Nullable;

/**
 * What a server said.
 *
 * @param used how many sessions all clients have
 * @param sessions how many of them the application has
 */
record Left(
        long nanos,
        int used,
        int usable,
        int sessions,
        @Nullable String missing) implements SessionsLeft.Reading {
    @Override
    public int left() {
        return left(sessions);
    }

    @Override
    public int left(int own) {
        return missing == null && own != SessionsLeft.UNKNOWN
                ? Math.max(0, usable - Math.max(0, used - own))
                : SessionsLeft.UNKNOWN;
    }
}
