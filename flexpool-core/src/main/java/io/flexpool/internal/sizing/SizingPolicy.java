// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

/**
 * Decides what size a pool should have. A deterministic state machine: no clock, no input or output, no thread; the
 * same windows give the same decisions. Fed by one thread.
 */
@FunctionalInterface
public interface SizingPolicy {
    /** Takes what was seen since the last call, and decides what the limit should be. */
    SizingStep onTick(PoolWindow window);
}
