// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.spi.Texts;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import jdk.jfr.SettingControl;
import org.jspecify.annotations.Nullable;

/**
 * The event setting {@code longerThan}: shorter durations are not recorded. JFR's own {@code threshold} cannot be used,
 * because flexpool reports a call when it has ended and JFR measures between {@code begin()} and {@code end()}.
 */
abstract class DurationFloor extends SettingControl {
    private final String byDefault;
    private volatile String text;
    private volatile long nanos;
    /** The result of {@link #combine}; null until it is called. */
    private volatile @Nullable String combined;

    private volatile long combinedNanos = Long.MAX_VALUE;

    /** @param byDefault for example {@code 10 ms} */
    DurationFloor(String byDefault) {
        this.byDefault = byDefault;
        this.text = byDefault;
        Long parsed = nanos(byDefault);
        this.nanos = parsed == null ? 0 : parsed;
    }

    /** Whether a duration is long enough to be recorded. */
    final boolean reached(long durationNanos) {
        return durationNanos >= nanos;
    }

    /** The smallest value of all recordings; unreadable values are ignored. */
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
     * JDK 17 discards the result of {@link #combine} and sets null instead (seen on 17.0.15, not on 25), and does not
     * call it again for settings combined before. So null means the smallest value ever combined: several recordings at
     * once may contain more than configured, but never less.
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

    /** Parses a duration as JFR writes it, {@code 10 ms}, or as flexpool's keys accept it; null if invalid. */
    static @Nullable Long nanos(String written) {
        Duration read = Texts.duration(written.trim().toLowerCase(Locale.ROOT));
        return read == null ? null : (Long) read.toNanos();
    }
}
