// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolPhase;
import io.flexpool.pool.PoolState;
import java.util.List;
import java.util.Optional;

/**
 * The readable side of one pool: all that a metrics backend sees. Reading is thread-safe, takes no lock of the
 * acquisition path, borrows no connection and never blocks the pool. Made by flexpool alone; minor releases
 * add methods, each with a default, so that a test may have a view of its own.
 */
public interface PoolView {
    /** {@return the name given to the builder: the attribute {@code db.client.connection.pool.name}; never empty} */
    String name();

    /**
     * What else the application calls this pool: the name that the pool has itself, or that of its bean, wherever it is
     * not {@link #name()}. Other metrics know it by these.
     *
     * @return without duplicates, unmodifiable; empty if there is no other name
     */
    default List<String> otherNames() {
        return List.of();
    }

    /** {@return the type of the wrapped pool, for example {@code HikariCP}} */
    String type();

    /** {@return a fresh state of the pool} */
    PoolState state();

    /**
     * Whether this pool supports a metric at all. Called when a backend starts to export it.
     *
     * @param metric the metric
     * @return false if it would always be empty, because the pool never reports it; true also if it is empty until the
     *     pool is used for the first time
     */
    default boolean supports(PoolMetric metric) {
        return true;
    }

    /** {@return fresh statistics, since the start and over the last minute} */
    PoolStatistics statistics();

    /**
     * The open leases now.
     *
     * @return oldest first; a snapshot, immutable; empty where nothing is recorded of leases
     */
    default List<OpenLease> openLeases() {
        return List.of();
    }

    /**
     * The classes of the pool's requests, with what each holds and how long its requests waited.
     *
     * @return in their order; a snapshot, immutable; empty if there is one class for all
     */
    default List<RequestClass> classes() {
        return List.of();
    }

    /**
     * What the parts of flexpool show of this pool: features in modules of their own, such as the advisor.
     *
     * @return in the order of the parts; empty without any
     */
    default List<PartView> parts() {
        return List.of();
    }

    /**
     * What a part shows of this pool to code that knows the part.
     *
     * @param type the type that the part's module names, for example that of its status
     * @param <T> the same
     * @return empty if no part has it: its module is not on the class path, it is off, or it has nothing yet
     */
    default <T> Optional<T> view(Class<T> type) {
        return Optional.empty();
    }

    /**
     * Why the pool has the size it has, what acts on it, what happened, and whether its monitoring works.
     *
     * @return reads when it is called; {@link PoolDiagnosis#NONE} if disabled
     */
    default PoolDiagnosis diagnosis() {
        return PoolDiagnosis.NONE;
    }

    /** {@return where the pool is in its life; {@link PoolPhase#OPEN} where that is not known} */
    default PoolPhase phase() {
        return PoolPhase.OPEN;
    }

    /** {@return the current mode} */
    default PoolMode mode() {
        return PoolMode.MONITOR;
    }

    /**
     * A complete report in lines of plain text. Only reads: no request waits for it. Thread names, call sites and
     * statements come from the application, without control characters and without what resembles a password; to be
     * shown as plain text only.
     *
     * @return at most the 50 oldest open leases, the 50 first call sites and the 20 last decisions, and all events;
     *     ends with a line break
     */
    default String report() {
        return new ReportText(this).toString();
    }
}
