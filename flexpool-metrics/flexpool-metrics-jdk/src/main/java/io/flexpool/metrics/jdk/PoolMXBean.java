// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import javax.management.MXBean;
import org.jspecify.annotations.Nullable;

/**
 * One pool, for JConsole and other JMX clients: {@code flexpool:type=Pool,name=orders}. The names of attributes are
 * JMX's, so these accessors begin with {@code get}; each attribute's description is {@link
 * io.flexpool.monitoring.PoolMetric#meaning()}.
 *
 * <p>Durations are milliseconds with fractions, exact to the nanosecond. A figure that the pool does not report is
 * null.
 * Attributes read within 100 ms come from one reading of the pool; those read after an operation from a fresh one.
 * Thread-safe.
 */
@MXBean
public interface PoolMXBean {
    /**
     * The name given to the builder; the object name may add {@code #2}.
     *
     * @return never empty
     */
    String getName();

    /**
     * The kind of the wrapped pool.
     *
     * @return for example {@code HikariCP}
     */
    String getPoolType();

    /**
     * The current state, in one line.
     *
     * @return for example {@code limit 10 (base 10, ceiling 25), max 10, active 10, idle 0, pending 7}
     */
    String getState();

    /**
     * flexpool's mode.
     *
     * @return {@code monitor}, {@code recommend} or {@code adapt}
     */
    String getMode();

    /**
     * Switches the mode, see {@link io.flexpool.monitoring.PoolControl#mode}. Lasts until the pool is closed.
     *
     * @param mode {@code monitor}, {@code recommend} or {@code adapt}
     * @throws IllegalArgumentException if it is none of these, or the pool was wrapped without what it needs; then nothing has
     *     changed
     * @throws IllegalStateException if the pool cannot be changed
     */
    void setMode(String mode);

    /**
     * Whether flexpool limits the pool; otherwise it only monitors it.
     *
     * @return true if there is a lease limit
     */
    boolean isBound();

    /**
     * The base: the lease limit at rest.
     *
     * @return null if the pool is only watched
     */
    @Nullable
    Integer getBase();

    /**
     * The ceiling: the highest lease limit.
     *
     * @return null if the pool is only watched
     */
    @Nullable
    Integer getCeiling();

    /**
     * The lease limit in force; without one, the pool's max size.
     *
     * @return null if the pool does not report it
     */
    @Nullable
    Integer getLimit();

    /**
     * The pool's own max size.
     *
     * @return null if the pool does not report it
     */
    @Nullable
    Integer getMax();

    /**
     * The pool's own min idle.
     *
     * @return null if the pool does not report it
     */
    @Nullable
    Integer getMinIdle();

    /**
     * Active connections.
     *
     * @return never negative
     */
    int getActive();

    /**
     * Active connections over the last minute, weighted by time.
     *
     * @return never negative
     */
    double getActiveMean();

    /**
     * The most connections in use at once in the last minute.
     *
     * @return never negative
     */
    int getActivePeak();

    /**
     * The most requests pending at once in the last minute.
     *
     * @return never negative
     */
    int getPendingPeak();

    /**
     * Connections in use and pending requests by the limit.
     *
     * @return above 1 if requests wait; null if the limit is unknown
     */
    @Nullable
    Double getSaturation();

    /**
     * Whether more instances of the application would serve requests that wait.
     *
     * @return 1 if more instances can help; 0 while requests wait or fail for another reason
     */
    int getScaleOutHelps();

    /**
     * Idle connections.
     *
     * @return null if the pool does not report it
     */
    @Nullable
    Integer getIdle();

    /**
     * Pending requests: waiting at the gate or inside the pool's {@code getConnection()}.
     *
     * @return never negative
     */
    int getPending();

    /**
     * How long the oldest waiting request has waited.
     *
     * @return milliseconds, 0 if none waits
     */
    double getOldestWaitMillis();

    /**
     * Time since flexpool last read the pool's state.
     *
     * @return milliseconds, less than 250 as a rule
     */
    double getTickAgeMillis();

    /**
     * Whether a part of flexpool hangs, fails or is off after a failure; {@link #report()} names it.
     *
     * @return 1 if so, else 0
     */
    int getTrouble();

    /**
     * Active connections that were not acquired through flexpool.
     *
     * @return null if the pool does not report it
     */
    @Nullable
    Integer getForeign();

    /**
     * Requests that got a connection.
     *
     * @return how long they took
     */
    Durations getAcquisitionOk();

    /**
     * Requests that timed out because all connections were active.
     *
     * @return how long they took
     */
    Durations getAcquisitionTimeout();

    /**
     * Requests that failed because the database could not be reached.
     *
     * @return how long they took
     */
    Durations getAcquisitionConnectFailure();

    /**
     * Requests whose thread was interrupted.
     *
     * @return how long they took
     */
    Durations getAcquisitionInterrupted();

    /**
     * Requests that were rejected.
     *
     * @return how long they took
     */
    Durations getAcquisitionRejected();

    /**
     * Requests that failed in another way.
     *
     * @return how long they took
     */
    Durations getAcquisitionError();

    /**
     * Single calls of the pool's own {@code getConnection()} that returned a connection.
     *
     * @return how long they took
     */
    Durations getAttempt();

    /**
     * Leases that ended.
     *
     * @return how long the leases lasted
     */
    Durations getLease();

    /**
     * Physical connects.
     *
     * @return how long they took; null if the pool does not report it
     */
    @Nullable
    Durations getConnect();

    /**
     * Acquisitions that got a connection.
     *
     * @return per second
     */
    Rates getAcquisitionRate();

    /**
     * Leases that ended.
     *
     * @return per second
     */
    Rates getLeaseRate();

    /**
     * Active connections, sampled every 250 ms.
     *
     * @return how often each number was seen
     */
    Numbers getActiveSampled();

    /**
     * Pending requests, sampled every 250 ms.
     *
     * @return how often each number was seen
     */
    Numbers getPendingSampled();

    /**
     * The lease limit (without one, the pool's max size), sampled every 250 ms.
     *
     * @return how often each number was seen
     */
    Numbers getLimitSampled();

    /**
     * How far the lease limit stood above the base, sampled every 250 ms.
     *
     * @return how often each number was seen
     */
    Numbers getGrownBySampled();

    /**
     * Retries, of the requests that needed any.
     *
     * @return how often each number was seen
     */
    Numbers getRetries();

    /**
     * Requests that timed out because all connections were active, since the pool was wrapped.
     *
     * @return never negative
     */
    long getTimeouts();

    /**
     * Increases of the lease limit, since the pool was wrapped.
     *
     * @return never negative
     */
    long getGrowths();

    /**
     * Decreases of the lease limit, since the pool was wrapped.
     *
     * @return never negative
     */
    long getShrinks();

    /**
     * Requests for which a growth was refused, since the pool was wrapped.
     *
     * @return never negative
     */
    long getRefusedGrowths();

    /**
     * Attempts that failed because the database refused or could not be reached, since the pool was wrapped.
     *
     * @return never negative
     */
    long getConnectFailures();

    /**
     * Leases that lasted longer than {@code leak.threshold}, each counted once, since the pool was wrapped.
     *
     * @return never negative
     */
    long getLeaksSuspected();

    /**
     * Requests of a thread that held another connection of the same pool, since the pool was wrapped.
     *
     * @return never negative
     */
    long getNestedAcquisitions();

    /**
     * Times a listener, an observer or an adapter threw and was ignored, since the pool was wrapped.
     *
     * @return never negative
     */
    long getListenerErrors();

    /**
     * Events that were not delivered because a listener blocked, since the pool was wrapped.
     *
     * @return never negative
     */
    long getEventsDropped();

    /**
     * The recent sizing decisions and their reasons.
     *
     * @return at most 1,000 lines of plain text, oldest first; empty if there was no decision
     */
    String decisions();

    /**
     * A readable report: state, statistics, holders, call sites, the last explained failure, the last decisions and
     * events. Only reads; no request waits for it.
     *
     * @return lines of plain text
     */
    String report();

    /**
     * The classes of the pool's requests.
     *
     * @return in their order; empty if there is one class for all
     */
    ClassAttributes[] getClasses();

    /**
     * Changes base and ceiling, see {@link io.flexpool.monitoring.PoolControl#limits}. Lasts until the pool is closed.
     *
     * @param base the lease limit at rest, 1 to 10,000
     * @param ceiling the highest lease limit, from the base to the configured ceiling
     * @throws IllegalArgumentException naming value and rule; nothing has changed then
     * @throws IllegalStateException if the pool is only watched, or cannot be changed
     */
    void limits(int base, int ceiling);

    /**
     * The phase of the pool's life cycle.
     *
     * @return {@code warming}, {@code open}, {@code paused}, {@code draining} or {@code closed}
     */
    String getPhase();

    /**
     * Opens connections in advance, see {@link io.flexpool.monitoring.PoolControl#warmUp}.
     *
     * @param connections the number of connections, 1 to 10,000
     * @param withinMillis the time limit in milliseconds, from 1 to a day
     * @return the number of connections that were open at once
     * @throws IllegalArgumentException naming value and rule
     * @throws IllegalStateException if the pool cannot be changed
     */
    int warmUp(int connections, long withinMillis);

    /**
     * Refuses new requests, waits for open leases and closes the pool, which also ends this MBean; see {@link
     * io.flexpool.monitoring.PoolControl#drain}.
     *
     * @param withinMillis the longest wait in milliseconds, from 1 to a day
     * @return the number of remaining leases and waiting requests
     * @throws IllegalArgumentException naming value and rule
     * @throws IllegalStateException if the pool cannot be changed
     */
    int drain(long withinMillis);

    /**
     * Closes every connection that is open now, see {@link io.flexpool.monitoring.PoolControl#evict}.
     *
     * @param reason the reason, for the log and the events
     * @return false if the pool does not support eviction
     * @throws IllegalStateException if the pool cannot be changed
     */
    boolean evict(String reason);

    /**
     * Makes new requests wait, see {@link io.flexpool.monitoring.PoolControl#pause}.
     *
     * @return false if the pool is paused already
     * @throws IllegalStateException if the pool cannot be changed
     */
    boolean pause();

    /**
     * Ends a pause: see {@link io.flexpool.monitoring.PoolControl#resume}.
     *
     * @return false if the pool was not paused
     * @throws IllegalStateException if the pool cannot be changed
     */
    boolean resume();

    /** Durations since the pool was wrapped, and of the last minute. Percentiles are at most 4.5 % off. */
    interface Durations {
        /**
         * The number, since the start.
         *
         * @return never negative
         */
        long getCount();

        /**
         * The sum, since the start.
         *
         * @return milliseconds
         */
        double getSumMillis();

        /**
         * The mean since the start.
         *
         * @return milliseconds, 0 if there was none
         */
        double getMeanMillis();

        /**
         * The median, since the start.
         *
         * @return milliseconds, 0 if there was none
         */
        double getP50Millis();

        /**
         * The 95th percentile, since the start.
         *
         * @return milliseconds, 0 if there was none
         */
        double getP95Millis();

        /**
         * The 99th percentile, since the start.
         *
         * @return milliseconds, 0 if there was none
         */
        double getP99Millis();

        /**
         * The longest since the start.
         *
         * @return milliseconds, 0 if there was none
         */
        double getMaxMillis();

        /**
         * The number in the last minute.
         *
         * @return never negative
         */
        long getRecentCount();

        /**
         * The mean of the last minute.
         *
         * @return milliseconds, 0 if there was none
         */
        double getRecentMeanMillis();

        /**
         * The median of the last minute.
         *
         * @return milliseconds, 0 if there was none
         */
        double getRecentP50Millis();

        /**
         * The 95th percentile of the last minute.
         *
         * @return milliseconds, 0 if there was none
         */
        double getRecentP95Millis();

        /**
         * The 99th percentile of the last minute.
         *
         * @return milliseconds, 0 if there was none
         */
        double getRecentP99Millis();

        /**
         * The longest of the last minute.
         *
         * @return milliseconds, 0 if there was none
         */
        double getRecentMaxMillis();
    }

    /** Whole numbers since the pool was wrapped, and of the last minute. Exact. */
    interface Numbers {
        /**
         * The number of values, since the start.
         *
         * @return never negative
         */
        long getCount();

        /**
         * Their sum, since the start.
         *
         * @return never negative
         */
        long getSum();

        /**
         * The number of values in the last minute.
         *
         * @return never negative
         */
        long getRecentCount();

        /**
         * The mean of the last minute.
         *
         * @return 0 if there was none
         */
        double getRecentMean();

        /**
         * The median of the last minute.
         *
         * @return 0 if there was none
         */
        int getRecentP50();

        /**
         * The 95th percentile of the last minute.
         *
         * @return 0 if there was none
         */
        int getRecentP95();

        /**
         * The 99th percentile of the last minute.
         *
         * @return 0 if there was none
         */
        int getRecentP99();

        /**
         * The largest of the last minute.
         *
         * @return 0 if there was none
         */
        int getRecentMax();
    }

    /** Rates per second, exponentially weighted like a Unix load average. */
    interface Rates {
        /**
         * The average since the start.
         *
         * @return per second
         */
        double getMean();

        /**
         * Over the last minute.
         *
         * @return per second
         */
        double getOneMinute();

        /**
         * Over the last five minutes.
         *
         * @return per second
         */
        double getFiveMinutes();

        /**
         * Over the last fifteen minutes.
         *
         * @return per second
         */
        double getFifteenMinutes();
    }
}
