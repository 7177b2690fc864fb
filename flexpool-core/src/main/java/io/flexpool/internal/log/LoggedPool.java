// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.log;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.monitoring.PoolView;
import io.flexpool.spi.Texts;
import io.flexpool.spi.UniqueNames;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pool's log lines. Core logs each resize and circuit change, and the first timeout, connect failure and rejection
 * of a second. This class only counts timeouts, connect failures and rejections, and logs the counts of each period.
 */
final class LoggedPool implements Binding, PoolListener {
    private static final UniqueNames NAMES = new UniqueNames();
    private static final int NONE_BY_ITSELF = 0;
    /** The summary of further events, if the first events of the period have a line each. */
    private static final String MORE = "{}: {} {} in the last {} (longest {})";
    /** The summary of all events, if none has a line of its own. */
    private static final String ALL = "{}: {} {} in the last {} (waits up to {})";

    private final PoolView pool;
    private final String name;
    private final Duration period;
    private final Logger summaries;
    private final Logger events;
    private final Tally slow;
    private final Tally longLeases;
    private final Tally timeouts = new Tally(NONE_BY_ITSELF);
    private final Tally connectFailures = new Tally(NONE_BY_ITSELF);
    private final Tally rejections = new Tally(NONE_BY_ITSELF);
    private final AtomicBoolean unbound = new AtomicBoolean();
    private final AtomicBoolean unreadable = new AtomicBoolean();
    /** Set before the object is published. */
    private Schedule.@Nullable Turns turns;

    private LoggedPool(PoolView pool, Duration period, int lines, String logger) {
        this.pool = pool;
        this.period = period;
        this.summaries = LoggerFactory.getLogger(logger + ".summary");
        this.events = LoggerFactory.getLogger(logger + ".events");
        this.slow = new Tally(lines);
        this.longLeases = new Tally(lines);
        this.name = NAMES.take(pool.name());
        if (!name.equals(pool.name())) {
            events.warn("{}: another pool has this name; rename one. This pool is {} in the log.", pool.name(), name);
        }
    }

    static LoggedPool begin(PoolView pool, Duration period, int lines, String logger) {
        LoggedPool logged = new LoggedPool(pool, period, lines, logger);
        try {
            logged.turns = Schedule.SHARED.add(logged, period);
        } catch (RuntimeException | Error failed) {
            NAMES.free(logged.name);
            throw failed;
        }
        return logged;
    }

    /** Frees the name of a pool that was never closed. */
    static void forget(String name) {
        NAMES.free(name);
    }

    String shownAs() {
        return name;
    }

    @Override
    public PoolListener listener() {
        return this;
    }

    @Override
    public void unbind() {
        if (unbound.compareAndSet(false, true)) {
            if (turns != null) {
                turns.end();
            }
            logRest();
            NAMES.free(name);
        }
    }

    void periodEnded() {
        if (summaries.isInfoEnabled()) {
            summarize();
        }
        logRest();
    }

    private void summarize() {
        String line;
        try {
            line = Summary.of(name, pool);
        } catch (RuntimeException thrown) {
            if (unreadable.compareAndSet(false, true)) {
                events.warn("{}: this pool cannot be read; summaries stop until it can be read", name, thrown);
            }
            return;
        }
        unreadable.set(false);
        summaries.info(line);
    }

    private void logRest() {
        log(MORE, slow, "more request", "waited too long");
        log(MORE, longLeases, "more lease", "lasted too long");
        log(ALL, timeouts, "request", "got no connection in time");
        log(ALL, connectFailures, "attempt", "failed to connect");
        log(ALL, rejections, "rejection", "of requests");
    }

    private void log(String format, Tally tally, String noun, String what) {
        Tally.Rest rest = tally.end();
        if (rest.count() > 0) {
            String longest = Summary.millis((double) rest.longestNanos());
            events.warn(format, name, Texts.count(rest.count(), noun), what, inWords(period), longest);
        }
    }

    /** The period in whole seconds if possible; {@code 1m30s}. */
    static String inWords(Duration period) {
        long seconds = period.toSeconds();
        if (seconds == 0) {
            return period.toMillis() + "ms";
        }
        String minutes = seconds >= 60 ? seconds / 60 + "m" : "";
        return seconds % 60 == 0 ? minutes : minutes + seconds % 60 + "s";
    }

    @Override
    public void onEvent(PoolEvent event) {
        if (event instanceof PoolEvent.AcquisitionSlow slowEvent) {
            if (slow.mayLog(slowEvent.duration().toNanos())) {
                events.warn(
                        "{}: a request waited {} for a connection: {}",
                        name,
                        Summary.millis((double) slowEvent.duration().toNanos()),
                        slowEvent.state().describe());
            }
        } else if (event instanceof PoolEvent.LeaseLong longLease) {
            if (longLeases.mayLog(longLease.duration().toNanos())) {
                events.warn("{}: a lease lasted {} and has ended", name, Summary.millis((double)
                        longLease.duration().toNanos()));
            }
        } else if (event instanceof PoolEvent.AcquisitionTimedOut timedOut) {
            timeouts.mayLog(timedOut.duration().toNanos());
        } else if (event instanceof PoolEvent.ConnectFailed failed) {
            connectFailures.mayLog(failed.duration().toNanos());
        } else if (event instanceof PoolEvent.AcquisitionRejected rejected) {
            rejections.mayLog(rejected.duration().toNanos());
        }
    }

    /**
     * Events of one kind in one period: the first few may be logged one by one, the others are counted and summed up
     * later. Thread-safe without a lock; an event at the end of a period counts in this period or the next.
     */
    private static final class Tally {
        private final int most;
        private final AtomicLong seen = new AtomicLong();
        private final AtomicLong rest = new AtomicLong();
        private final AtomicLong longestNanos = new AtomicLong();

        /** The events that were not logged one by one. */
        record Rest(long count, long longestNanos) {}

        Tally(int most) {
            this.most = most;
        }

        /** Counts an event; true if it may be logged on its own line. */
        boolean mayLog(long nanos) {
            if (seen.getAndIncrement() < most) {
                return true;
            }
            longestNanos.accumulateAndGet(nanos, Math::max);
            rest.incrementAndGet();
            return false;
        }

        /** Ends the period and resets the counts. */
        Rest end() {
            long count = rest.getAndSet(0);
            long longest = longestNanos.getAndSet(0);
            seen.set(0);
            return new Rest(count, longest);
        }
    }
}
