// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import io.flexpool.adapter.AcquisitionFailure;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The observations of a soak's threads, for comparison with the pool's figures. Thread-safe. */
public final class SoakLedger {
    /** The maximum number of stored violations, because a soak may be long. */
    private static final int KEPT = 10;

    private final Class<? extends SQLException> timeoutClass;
    private final LongAdder served = new LongAdder();
    private final LongAdder timedOut = new LongAdder();
    private final LongAdder interrupted = new LongAdder();
    private final LongAdder nested = new LongAdder();
    private final LongAdder wrongs = new LongAdder();
    private final Map<SoakEnding, LongAdder> endings = new EnumMap<>(SoakEnding.class);
    private final Queue<Throwable> kept = new ConcurrentLinkedQueue<>();
    /** The holder of each physical connection, by the connection's number. */
    private final Map<String, Thread> holders = new ConcurrentHashMap<>();

    public SoakLedger(Class<? extends SQLException> timeoutClass) {
        this.timeoutClass = timeoutClass;
        for (SoakEnding ending : SoakEnding.values()) {
            endings.put(ending, new LongAdder());
        }
    }

    /** Notes a lease: no other lease may have the same physical connection. */
    void served(Connection connection) throws SQLException {
        served.increment();
        String number = connection.getCatalog();
        Thread other = holders.putIfAbsent(number, Thread.currentThread());
        if (other != null) {
            throw new AssertionError(number + " was handed out while " + other.getName() + " holds it");
        }
    }

    /** Call just before a lease ends. */
    void givesBack(Connection connection) throws SQLException {
        Thread holder = holders.remove(connection.getCatalog());
        if (holder != Thread.currentThread()) {
            throw new AssertionError("in the hands of " + holder);
        }
    }

    /** Notes a failed request: only a timeout or an interrupt is allowed. */
    void refused(SQLException thrown) throws SQLException {
        if (AcquisitionFailure.interrupted(thrown)) {
            interrupted.increment();
        } else if (thrown.getClass() == timeoutClass) {
            timedOut.increment();
        } else {
            throw thrown;
        }
    }

    /** Notes a nested request. */
    void nests() {
        nested.increment();
    }

    void ended(SoakEnding ending) {
        Objects.requireNonNull(endings.get(ending)).increment();
    }

    /** Records a violation. */
    void wrong(@Nullable SoakEnding ending, Throwable thrown) {
        wrongs.increment();
        if (kept.size() < KEPT) {
            kept.add(new AssertionError(
                    Thread.currentThread().getName() + ": " + (ending == null ? "" : ending + ": ") + thrown, thrown));
        }
    }

    public long served() {
        return served.sum();
    }

    public long timedOut() {
        return timedOut.sum();
    }

    public long interrupted() {
        return interrupted.sum();
    }

    public long nested() {
        return nested.sum();
    }

    /** The first violations. */
    public List<Throwable> wrongs() {
        return List.copyOf(kept);
    }

    public Map<SoakEnding, LongAdder> endings() {
        return endings;
    }

    @Override
    public String toString() {
        return served + " served, " + timedOut + " timed out, " + interrupted + " interrupted, " + wrongs + " wrong";
    }
}
