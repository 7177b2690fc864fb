// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.PoolAdapterProvider;
import io.flexpool.adapter.tck.database.StubDatabase;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolStatistics.Figures;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The requirements on every adapter. A pool's test declares how to create the pool and its capabilities, and inherits
 * all tests; flexpool must refuse undeclared capabilities, or replace them by the gate. Every test ends with the
 * invariants: no lease, no pending request, as many acquisitions as leases, no physical connection after close.
 *
 * <p>Tests mostly wait, and may run in parallel if JUnit is configured for it: a pool's test must not have state in
 * static fields. Twelve at a time take 13 seconds instead of 100 on HikariCP, so that each build can test every pool on
 * its oldest and its newest version. Tests that must not be disturbed (faults, storms, soaks) are isolated.
 */
@Execution(ExecutionMode.CONCURRENT)
public abstract class PoolAdapterContract {
    /** The database behind the pools of a test. */
    protected final StubDatabase database = new StubDatabase();

    private final Queue<FlexPoolDataSource> wrapped = new ConcurrentLinkedQueue<>();
    /** The pool's events, in order. */
    protected final Queue<PoolEvent> events = new ConcurrentLinkedQueue<>();

    /** Called by a pool's test. */
    protected PoolAdapterContract() {}

    // ---- declared by a pool's test ----

    /**
     * Creates a pool that has not connected yet. If the pool can validate connections before lending, it must do so.
     *
     * @param database the database for the pool's connections
     * @param max its max size
     * @param timeout its acquisition timeout; zero for none: requests wait without limit
     * @return the pool
     */
    protected abstract DataSource pool(DataSource database, int max, Duration timeout);

    /**
     * The capabilities that the adapter must declare.
     *
     * @return exactly these capabilities
     */
    protected abstract Set<Capability> capabilities();

    /**
     * The class of exception that the pool throws when it is exhausted.
     *
     * @return the exact class
     */
    protected abstract Class<? extends SQLException> timeoutClass();

    /**
     * The pool's own name of its max size, which the refusal of a ceiling must contain.
     *
     * @return for example {@code maximumPoolSize}
     */
    protected abstract String maxSizeKey();

    /**
     * The time in which the pool's own housekeeping runs at least once.
     *
     * @return long enough
     */
    protected abstract Duration housekeeping();

    /**
     * Whether the pool can be configured without an acquisition timeout.
     *
     * @return false if the pool always has an acquisition timeout
     */
    protected boolean canWaitForEver() {
        return true;
    }

    /**
     * Whether the pool refuses requests after it was closed directly.
     *
     * @return false if it opens again itself
     */
    protected boolean staysClosed() {
        return true;
    }

    /**
     * Pools like {@link #pool} that reclaim a leased connection after a second or two, themselves or by
     * {@link #takeBack}. For a pool that {@linkplain PoolQuirk#TAKES_NOTHING_BACK never reclaims}, pools with settings
     * that only report long leases.
     *
     * @param from the database for their connections
     * @param max their max size
     * @param timeout their acquisition timeout
     * @return one pool for each such setting; unless overridden, one pool without a setting
     */
    protected List<DataSource> takingBack(DataSource from, int max, Duration timeout) {
        return List.of(pool(from, max, timeout));
    }

    /**
     * Makes the pool reclaim leased connections by its own method; has no effect unless overridden.
     *
     * @param pool the pool itself
     * @throws Exception if that fails
     */
    protected void takeBack(DataSource pool) throws Exception {}

    /**
     * Closes the idle connections by the pool's own method, without flexpool. For a pool with an
     * {@linkplain PoolQuirk#ITS_EVICTION_MISSES_WHAT_IT_IS_LENDING eviction that misses connections being lent}.
     *
     * @param pool the pool itself
     * @throws Exception if that fails
     */
    protected void evictByItself(DataSource pool) throws Exception {}

    /**
     * Pools of one connection, one for each setting that decides which state the pool restores on return.
     *
     * @param from the database for their connections
     * @param timeout their acquisition timeout
     * @return the pools; unless overridden, one with default settings
     */
    protected List<DataSource> restoring(DataSource from, Duration timeout) {
        return List.of(pool(from, 1, timeout));
    }

    /**
     * Whether the pool opens connections in the background, or will open them in its start: a connection opened during
     * its close may stay open. The end of each test waits until this is false.
     *
     * @param pool the wrapped pool
     * @return false unless overridden; false if the pool has not been started or is closed
     */
    protected boolean isOpening(FlexPoolDataSource pool) {
        return false;
    }

    /**
     * Gives a pool created by {@link #pool} a name, by the pool's own setting.
     *
     * @param pool the pool itself, before its first connection
     * @param name the name
     * @return false, as by default, if such pools have no name
     * @throws Exception if that fails
     */
    protected boolean named(DataSource pool, String name) throws Exception {
        return false;
    }

    /**
     * The min idle that the adapter must report for a pool created by {@link #pool}.
     *
     * @param max the pool's max
     * @return 0 if the pool keeps no idle connection, {@link PoolSnapshot#UNKNOWN} if the adapter does not report it
     */
    protected int minIdle(int max) {
        return 0;
    }

    /**
     * The number of connections that the pool opens for requests while it has none, perhaps in its own thread. For
     * pools that {@linkplain PoolQuirk#LENDS_DEAD_CONNECTIONS lend dead connections}, where it decides how many remain.
     *
     * @param requests the number of requests
     * @param max the pool's max
     * @return the number of requests, unless overridden
     */
    protected int opens(int requests, int max) {
        return requests;
    }

    /**
     * Makes the pool close a leased connection by its own method, as described in docs/reference/pools.md.
     *
     * @param pool the pool itself
     * @param lease a leased connection of flexpool, which the caller closes afterwards
     * @throws Exception if that fails
     */
    protected void throwAway(DataSource pool, Connection lease) throws Exception {
        lease.abort(Runnable::run);
    }

    /**
     * The quirks of the pool.
     *
     * @return the quirks; usually empty
     */
    protected Set<PoolQuirk> quirks() {
        return Set.of();
    }

    /**
     * The pool's classes with a version that the build chooses, each with the name of its jar up to the version.
     *
     * @return for example {@code HikariDataSource} and {@code HikariCP-}; empty if the build has one version only
     */
    protected Map<Class<?>, String> jars() {
        return Map.of();
    }

    // ---- for a pool's own tests ----

    /**
     * The adapter that flexpool finds for a pool: by the service loader, unless overridden.
     *
     * @param pool the pool; not changed
     * @return the only matching adapter
     */
    protected PoolAdapter adapter(DataSource pool) {
        List<PoolAdapter> found = ServiceLoader.load(PoolAdapterProvider.class).stream()
                .flatMap(provider -> provider.get().adapt(pool).stream())
                .toList();
        assertThat(found).as("adapters for %s", pool.getClass().getName()).hasSize(1);
        return found.get(0);
    }

    /**
     * Returns a builder for a pool, with a listener that stores the events.
     *
     * @param pool the pool
     * @return a builder
     */
    protected FlexPoolBuilder wrap(DataSource pool) {
        return PlainPools.wrap(pool).name("contract").listener(new Keeper());
    }

    /**
     * Builds the wrapped pool, which is closed at the end of the test.
     *
     * @param builder the configured builder
     * @return the wrapped pool
     */
    protected FlexPoolDataSource build(FlexPoolBuilder builder) {
        FlexPoolDataSource built = builder.build();
        wrapped.add(built);
        return built;
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        nothingIsLeft(0);
    }

    /** Checks the invariants, with a number of physical connections beyond the pool's quirks. */
    void nothingIsLeft(int more) throws Exception {
        database.release();
        for (FlexPoolDataSource pool : wrapped) {
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5),
                            () -> pool.state().leased() == 0 && pool.state().pending() == 0))
                    .as("leased and pending at the end: %s", pool.state())
                    .isTrue();
            Figures total = pool.statistics().total();
            assertThat(total.leases().count())
                    .isEqualTo(total.acquisition(AcquisitionOutcome.OK).count());
            assertThat(total.counter(PoolMetric.LISTENER_ERRORS)).isZero();
            untilNothingIsBeingOpened(pool);
            pool.close();
        }
        int left = mayStayOpen() + more;
        assertThat(Crowd.eventually(Duration.ofSeconds(5), () -> database.open() <= left))
                .as("physical connections after close: %d", database.open())
                .isTrue();
    }

    /**
     * The number of connections that quirks may leave open: one for an interrupt, four for leases at the pool's close.
     */
    private int mayStayOpen() {
        if (quirks().contains(PoolQuirk.LEAVES_LEASED_CONNECTIONS_OPEN)) {
            return 4;
        }
        return quirks().contains(PoolQuirk.LOSES_A_CONNECTION_TO_AN_INTERRUPT)
                        || quirks().contains(PoolQuirk.LEAVES_OPEN_WHAT_FAILED)
                ? 1
                : 0;
    }

    private void untilNothingIsBeingOpened(FlexPoolDataSource pool) throws InterruptedException {
        assertThat(Crowd.eventually(
                        Duration.ofMinutes(1),
                        () -> database.connecting() == 0 && (database.refuses() || !isOpening(pool))))
                .as("%d connects under way, %s", database.connecting(), pool.state())
                .isTrue();
    }

    // ---- the contract ----

    /** The second run of a pool's tests uses the oldest version; this test detects an unchanged class path. */
    @Test
    void runsOnTheVersionThatTheBuildSays() {
        assumeThat(jars()).isNotEmpty();
        String version = System.getProperty("expected.pool.version");
        jars().forEach((type, jar) -> assertThat(
                        type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .contains(jar + version));
    }

    /** Growth. */
    @Nested
    class Growth extends GrowthContract {
        Growth() {
            super(PoolAdapterContract.this);
        }
    }

    /** The decrease of the limit. */
    @Nested
    class Shrink extends ShrinkContract {
        Shrink() {
            super(PoolAdapterContract.this);
        }
    }

    /** A database that is down or refuses. */
    @Nested
    class Outage extends OutageContract {
        Outage() {
            super(PoolAdapterContract.this);
        }
    }

    /** Timeouts and interrupts. */
    @Nested
    class Exhaustion extends ExhaustionContract {
        Exhaustion() {
            super(PoolAdapterContract.this);
        }
    }

    /** The adapter's figures and capabilities. */
    @Nested
    class FiguresAndCapabilities extends FiguresContract {
        FiguresAndCapabilities() {
            super(PoolAdapterContract.this);
        }
    }

    /** The connection outside the pool. */
    @Nested
    class OwnConnection extends OwnConnectionContract {
        OwnConnection() {
            super(PoolAdapterContract.this);
        }
    }

    /** The holders of connections. */
    @Nested
    class Leases extends LeaseContract {
        Leases() {
            super(PoolAdapterContract.this);
        }
    }

    /** Connections that the pool reclaims itself. */
    @Nested
    class TakenBack extends TakenBackContract {
        TakenBack() {
            super(PoolAdapterContract.this);
        }
    }

    /** The state that the pool restores when a connection is returned. */
    @Nested
    class Restored extends RestoredContract {
        Restored() {
            super(PoolAdapterContract.this);
        }
    }

    /** The boundary between flexpool and the pool. */
    @Nested
    class Boundary extends BoundaryContract {
        Boundary() {
            super(PoolAdapterContract.this);
        }
    }

    /** JDBC's behaviour for a caller. */
    @Nested
    class Jdbc extends JdbcContract {
        Jdbc() {
            super(PoolAdapterContract.this);
        }
    }

    /** Operations on the whole pool. */
    @Nested
    class Lifecycle extends LifecycleContract {
        Lifecycle() {
            super(PoolAdapterContract.this);
        }
    }

    /** The end. */
    @Nested
    class Closing extends ClosingContract {
        Closing() {
            super(PoolAdapterContract.this);
        }
    }

    /** Objects left by an application's pool. */
    @Nested
    class Leftovers extends LeftoversContract {
        Leftovers() {
            super(PoolAdapterContract.this);
        }
    }

    private final class Keeper implements PoolListener {
        @Override
        public void onEvent(PoolEvent event) {
            if (event instanceof PoolEvent.AcquisitionTimedOut timedOut) {
                events.add(timedOut);
            } else if (event instanceof PoolEvent.ConnectFailed failed) {
                events.add(failed);
            } else if (event instanceof PoolEvent.Resized resized) {
                events.add(resized);
            } else if (event instanceof PoolEvent.LeakSuspected suspected) {
                events.add(suspected);
            } else if (event instanceof PoolEvent.LeakResolved resolved) {
                events.add(resolved);
            }
        }
    }
}
