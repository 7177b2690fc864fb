// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import javax.management.MXBean;
import org.jspecify.annotations.Nullable;

/**
 * One pool, for JConsole and whatever else speaks JMX: {@code flexpool:type=Pool,name=orders}. The names of attributes
 * are JMX's, so these accessors begin with {@code get}; each attribute's description is
 * {@link io.flexpool.monitoring.PoolMetric#meaning()}.
 *
 * <p>Durations are milliseconds with fractions, exact to the nanosecond. A figure that the pool does not tell is null.
 * Attributes read within 100 ms of one another come from one reading of the pool; so do all after an operation, from a
 * fresh one. Thread-safe.
 */
@MXBean
public interface PoolMXBean {
    /**
     * The name given to the builder; in the object name a {@code #2} may follow.
     *
     * @return never empty
     */
    String getName();

    /**
     * What kind of pool is behind.
     *
     * @return for example {@code HikariCP}
     */
    String getPoolType();

    /**
     * The pool now, in one line.
     *
     * @return for example {@code limit 10 (base 10, ceiling 25), max 10, active 10, idle 0, pending 7}
     */
    String getState();

    /**
     * What flexpool does by itself about the pool's size.
     *
     * @return {@code monitor}, {@code recommend} or {@code adapt}
     */
    String getMode();

    /**
     * Goes to another mode, see {@link io.flexpool.monitoring.PoolControl#mode}. Lasts until the pool is closed.
     *
     * @param mode {@code monitor}, {@code recommend} or {@code adapt}
     * @throws IllegalArgumentException if it is none of these, or the pool was wrapped without what it needs; then nothing has
     *     changed
     * @throws IllegalStateException if the pool cannot be changed
     */
    void setMode(String mode);

    /**
     * Whether flexpool limits the pool; else it only watches.
     *
     * @return true if there is a lease limit
     */
    boolean isBound();

    /**
     * The lease limit to return to after calm.
     *
     * @return null if the pool is only watched
     */
    @Nullable
    Integer getBase();

    /**
     * The lease limit that growth never passes.
     *
     * @return null if the pool is only watched
     */
    @Nullable
    Integer getCeiling();

    /**
     * Connections that may be out now; of a watched pool, its max size.
     *
     * @return null if the pool does not tell
     */
    @Nullable
    Integer getLimit();

    /**
     * The pool's own max size.
     *
     * @return null if the pool does not tell
     */
    @Nullable
    Integer getMax();

    /**
     * The pool's own min idle.
     *
     * @return null if the pool does not tell
     */
    @Nullable
    Integer getMinIdle();

    /**
     * Connections in use now.
     *
     * @return never negative
     */
    int getActive();

    /**
     * Connections in use over the last minute, weighted by time.
     *
     * @return never negative
     */
    double getActiveMean();

    /**
     * Connections open and free now.
     *
     * @return null if the pool does not tell
     */
    @Nullable
    Integer getIdle();

    /**
     * Requests now waiting or inside the pool's {@code getConnection()}.
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
     * How long ago flexpool last looked at the pool.
     *
     * @return milliseconds, less than 250 as a rule
     */
    double getTickAgeMillis();

    /**
     * Connections that are out and were not taken through flexpool.
     *
     * @return null if the pool does not tell
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
     * Requests that got no connection in time because all were out.
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
     * Requests that were turned away.
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
     * Single calls of the pool's own {@code getConnection()} that gave a connection.
     *
     * @return how long they took
     */
    Durations getAttempt();

    /**
     * Leases that ended.
     *
     * @return how long connections were out
     */
    Durations getLease();

    /**
     * Physical connects.
     *
     * @return how long they took; null if the pool does not tell
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
     * Connections in use, sampled every 250 ms.
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
     * The lease limit (of a watched pool: its max size), sampled every 250 ms.
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
     * Requests that got no connection in time because all were out, since the pool was wrapped.
     *
     * @return never negative
     */
    long getTimeouts();

    /**
     * Times the lease limit was raised, since the pool was wrapped.
     *
     * @return never negative
     */
    long getGrowths();

    /**
     * Times the lease limit was lowered, since the pool was wrapped.
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
     * Connections that were out for longer than {@code leak.threshold}, each counted once, since the pool was wrapped.
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
     * What the sizing controller decided lately, and why.
     *
     * @return at most 1,000 lines of plain text, oldest first; empty if there was no decision
     */
    String decisions();

    /**
     * The pool for people: state, statistics, who holds connections since when, call sites, the last explained failure,
     * the last decisions and events. Only reads; no request waits for it.
     *
     * @return lines of plain text
     */
    String report();

    /**
     * Moves base and ceiling, see {@link io.flexpool.monitoring.PoolControl#limits}. Lasts until the pool is closed.
     *
     * @param base how many connections may be out after calm, 1 to 10,000
     * @param ceiling what growth never passes, from the base to the configured ceiling
     * @throws IllegalArgumentException naming value and rule; then nothing has changed
     * @throws IllegalStateException if the pool is only watched, or cannot be changed
     */
    void limits(int base, int ceiling);

    /** Durations since the pool was wrapped, and of the last minute. Percentiles are at most 4.5 % off. */
    interface Durations {
        /**
         * How many, since the start.
         *
         * @return never negative
         */
        long getCount();

        /**
         * How long in all, since the start.
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
         * What half did not exceed, since the start.
         *
         * @return milliseconds, 0 if there was none
         */
        double getP50Millis();

        /**
         * What 95 % did not exceed, since the start.
         *
         * @return milliseconds, 0 if there was none
         */
        double getP95Millis();

        /**
         * What 99 % did not exceed, since the start.
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
         * How many in the last minute.
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
         * What half did not exceed in the last minute.
         *
         * @return milliseconds, 0 if there was none
         */
        double getRecentP50Millis();

        /**
         * What 95 % did not exceed in the last minute.
         *
         * @return milliseconds, 0 if there was none
         */
        double getRecentP95Millis();

        /**
         * What 99 % did not exceed in the last minute.
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
         * How many were seen, since the start.
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
         * How many were seen in the last minute.
         *
         * @return never negative
         */
        long getRecentCount();

        /**
         * The mean of the last minute.
         *
         * @return 0 if none was seen
         */
        double getRecentMean();

        /**
         * What half did not exceed in the last minute.
         *
         * @return 0 if none was seen
         */
        int getRecentP50();

        /**
         * What 95 % did not exceed in the last minute.
         *
         * @return 0 if none was seen
         */
        int getRecentP95();

        /**
         * What 99 % did not exceed in the last minute.
         *
         * @return 0 if none was seen
         */
        int getRecentP99();

        /**
         * The largest of the last minute.
         *
         * @return 0 if none was seen
         */
        int getRecentMax();
    }

    /** Per second, weighted as a Unix load average is. */
    interface Rates {
        /**
         * Over the whole life.
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
