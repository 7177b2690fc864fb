// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.internal.shared.Words;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import jdk.jfr.SettingControl;
import org.jspecify.annotations.Nullable;

/**
 * The setting {@code longerThan} of an event: what took less is not recorded. JFR's own {@code threshold} cannot do it,
 * because flexpool tells of a call when it has ended and JFR measures between {@code begin()} and {@code end()}.
 */
abstract class DurationFloor extends SettingControl {
    private final String byDefault;
    private volatile String text;
    private volatile long nanos;
    /** What {@link #combine} has said; null as long as it was not asked. */
    private volatile @Nullable String combined;

    private volatile long combinedNanos = Long.MAX_VALUE;

    /** @param byDefault as in {@code 10 ms} */
    DurationFloor(String byDefault) {
        this.byDefault = byDefault;
        this.text = byDefault;
        Long parsed = nanos(byDefault);
        this.nanos = parsed == null ? 0 : parsed;
    }

    /** Whether something took long enough to be recorded. */
    final boolean reached(long durationNanos) {
        return durationNanos >= nanos;
    }

    /** The least that any recording wants; what cannot be read does not count. */
    @Override
    public String combine(Set<String> settings) {
        String least = text;
        long leastNanos = Long.MAX_VALUE;
        for (String setting : settings) {
            Long asked = nanos(setting);
            if (asked != null && asked < leastNanos) {
                leastNanos = asked;
                least = setting;
            }
        }
        if (leastNanos < combinedNanos) {
            combinedNanos = leastNanos;
            combined = least;
        }
        return least;
    }

    /**
     * JDK 17 throws away what {@link #combine} returns and sets null instead (seen on 17.0.15, not on 25), and for
     * settings that it has combined before it does not ask again. So null is the least that was ever combined: whoever
     * records several times at once may find more than was asked for, and never less.
     */
    @Override
    public void setValue(@Nullable String value) {
        String least = combined;
        String wanted = value != null ? value : least != null ? least : byDefault;
        Long asked = nanos(wanted);
        if (asked != null) {
            nanos = asked;
            text = wanted;
        }
    }

    @Override
    public String getValue() {
        return text;
    }

    /** As JFR writes durations: {@code 10 ms}; or as flexpool's own keys take them. Null if it is none. */
    static @Nullable Long nanos(String written) {
        Duration read = Words.duration(written.trim().toLowerCase(Locale.ROOT));
        return read == null ? null : (Long) read.toNanos();
    }
}
