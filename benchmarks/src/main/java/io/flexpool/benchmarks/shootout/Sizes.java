// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import java.time.Duration;

/** What every pool is set to: the published sizes, and a timeout that matters only if a pool forgets a thread. */
final class Sizes {
    /** Connections to open at the start. */
    static final int INITIAL = 10;
    /** Connections to keep. */
    static final int MIN = 10;
    /** Connections at most. */
    static final int MAX = 50;
    /** The acquisition timeout, in place of waiting for ever. */
    static final Duration TIMEOUT = Duration.ofSeconds(10);

    private Sizes() {}
}
