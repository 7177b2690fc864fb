// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.context;

import org.jspecify.annotations.Nullable;

/**
 * An entry of a stack. Entries may end in any order, and on any thread; the innermost open entry counts. Ended entries
 * are unlinked, so that they can be collected even if another entry is always open.
 *
 * @param <E> the type of the entries
 */
abstract class StackEntry<E extends StackEntry<E>> {
    private volatile @Nullable E outer;
    private volatile boolean ended;

    StackEntry(@Nullable E outer) {
        this.outer = outer;
        dropEnded(outer);
    }

    final @Nullable E outer() {
        return outer;
    }

    final boolean ended() {
        return ended;
    }

    final void end() {
        ended = true;
    }

    /** The first open entry, from the innermost entry outwards; null without one. */
    static <E extends StackEntry<E>> @Nullable E firstOpen(@Nullable E innermost) {
        E entry = innermost;
        while (entry != null && entry.ended()) {
            entry = entry.outer();
        }
        return entry;
    }

    /** Unlinks ended entries. Two threads may do so at once, because each only skips ended entries. */
    static <E extends StackEntry<E>> void dropEnded(@Nullable E innermost) {
        for (E entry = innermost; entry != null; entry = entry.outer()) {
            E next = entry.outer();
            E open = firstOpen(next);
            if (open != next) {
                entry.setOuter(open);
            }
        }
    }

    final void setOuter(@Nullable E open) {
        outer = open;
    }
}
