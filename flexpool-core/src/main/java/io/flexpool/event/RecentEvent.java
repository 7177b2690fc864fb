// SPDX-License-Identifier: Apache-2.0
package io.flexpool.event;

import io.flexpool.event.PoolEvent.Kind;
import io.flexpool.internal.shared.PlainText;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event of a pool as it is remembered: failures of one kind and reason that came within a second are one, with their
 * number. Immutable. Made by flexpool alone; minor releases add methods.
 */
public interface RecentEvent {
    /** {@return its number among what is remembered of a pool, from 0; grows with time} */
    long number();

    /** {@return when the first of them came} */
    Instant first();

    /** {@return when the last of them came} */
    Instant last();

    /** {@return how many they were, at least 1} */
    long count();

    /** {@return the longest of their waits or leases; null for a kind that has none} */
    @Nullable
    Duration longest();

    /** {@return the first of them that is explained, else the first} */
    PoolEvent event();

    /** {@return what kind of event it was} */
    default Kind kind() {
        return event().kind();
    }

    /**
     * The event in one line.
     *
     * @return for example {@code 2026-11-21T22:17:35.123Z timeout (12 times): …}
     */
    default String describe() {
        return first() + " " + kind().word() + (count() > 1 ? " (" + count() + " times)" : "") + ": "
                + PlainText.line(event().describe());
    }
}
