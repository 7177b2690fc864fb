// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolPhase;
import io.flexpool.pool.PoolState;
import java.util.List;
import java.util.Optional;

/**
 * The readable side of one pool, for metrics backends. Reading is thread-safe, takes no lock of the acquisition path,
 * borrows no connection and never blocks the pool. Made by flexpool alone; minor releases add methods, each with a
 * default, so that tests may implement a view.
 */
public interface PoolView {
    /** {@return the name given to the builder: the attribute {@code db.client.connection.pool.name}; never empty} */
    String name();

    /**
     * The application's other names of this pool: the pool's own name, or its bean's name, if it differs from
     * {@link #name()}. Other metrics use these names.
     *
     * @return the names, without duplicates, unmodifiable; empty without another name
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
     * @return false if the pool never reports the metric; true also if the metric is empty until the pool is used for
     *     the first time
     */
    default boolean supports(PoolMetric metric) {
        return true;
    }

    /** {@return fresh statistics, since the start and over the last minute} */
    PoolStatistics statistics();

    /**
     * The open leases now.
     *
     * @return the leases, oldest first; a snapshot, immutable; empty if leases are not recorded
     */
    default List<OpenLease> openLeases() {
        return List.of();
    }

    /**
     * The classes of the pool's requests, with their leases and the waits of their requests.
     *
     * @return the classes in their order; a snapshot, immutable; empty if there is one class for all
     */
    default List<RequestClass> classes() {
        return List.of();
    }

    /**
     * The views of the parts of flexpool on this pool: features in separate modules, such as the advisor.
     *
     * @return the views in the order of the parts; empty without parts
     */
    default List<PartView> parts() {
        return List.of();
    }

    /**
     * A part's typed view of this pool, for code that depends on the part's module.
     *
     * @param type a type of the part's module, for example of its status
     * @param <T> the type
     * @return the view; empty if no part has it: the module is missing, the part is off, or it has no data yet
     */
    default <T> Optional<T> view(Class<T> type) {
        return Optional.empty();
    }

    /**
     * The reason of the pool's size, its controllers, its events, and the state of its monitoring.
     *
     * @return a diagnosis whose methods read the pool when called; {@link PoolDiagnosis#NONE} if disabled
     */
    default PoolDiagnosis diagnosis() {
        return PoolDiagnosis.NONE;
    }

    /** {@return the phase of the pool's life; {@link PoolPhase#OPEN} if unknown} */
    default PoolPhase phase() {
        return PoolPhase.OPEN;
    }

    /** {@return the current mode} */
    default PoolMode mode() {
        return PoolMode.MONITOR;
    }

    /**
     * A complete report in plain text. Only reads: no request waits for it. Thread names, call sites and statements
     * come from the application, without control characters and possible passwords; show them as plain text only.
     *
     * @return the report, with at most the 50 oldest open leases, the 50 first call sites and the 20 last decisions,
     *     and all events; ends with a line break
     */
    default String report() {
        return new ReportText(this).toString();
    }
}
