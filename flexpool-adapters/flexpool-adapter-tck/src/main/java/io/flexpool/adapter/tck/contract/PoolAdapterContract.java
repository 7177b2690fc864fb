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
 * What every adapter has to do right. A pool's test says how to make the pool and what it can do, and inherits all of
 * this; what is not declared has to be refused, or made good by the gate. Every test ends with the invariants: nothing
 * out, none pending, as many acquisitions as leases, no physical connection after close.
 *
 * <p>Tests mostly wait, and may run beside each other where JUnit is configured so: a pool's test must not keep
 * anything in static fields. Twelve at a time take 13 seconds instead of 100 on HikariCP, so that each build can test
 * every pool on its oldest and its newest version. Tests that must not be disturbed (faults, storms, soaks) are
 * isolated.
 */
@Execution(ExecutionMode.CONCURRENT)
public abstract class PoolAdapterContract {
    /** The database behind the pools of a test. */
    protected final StubDatabase database = new StubDatabase();

    private final Queue<FlexPoolDataSource> wrapped = new ConcurrentLinkedQueue<>();
    /** The pool's events, in order. */
    protected final Queue<PoolEvent> events = new ConcurrentLinkedQueue<>();

    /** For a pool's test. */
    protected PoolAdapterContract() {}

    // ---- what a pool's test says ----

    /**
     * Makes a pool that has not connected yet. If it can look whether a connection is still alive before it hands it
     * out, it is to do so.
     *
     * @param database where it connects
     * @param max its max size
     * @param timeout its acquisition timeout; zero for none, requests wait for ever
     * @return the pool
     */
    protected abstract DataSource pool(DataSource database, int max, Duration timeout);

    /**
     * What the adapter is to declare.
     *
     * @return no more and no less
     */
    protected abstract Set<Capability> capabilities();

    /**
     * The class of exception that the pool throws when it is exhausted.
     *
     * @return the exact class
     */
    protected abstract Class<? extends SQLException> timeoutClass();

    /**
     * The pool's own name of its max size, which a message has to name that refuses a ceiling.
     *
     * @return for example {@code maximumPoolSize}
     */
    protected abstract String maxSizeKey();

    /**
     * How long it takes until the pool's own housekeeping has run at least once.
     *
     * @return long enough
     */
    protected abstract Duration housekeeping();

    /**
     * Whether requests can be made to wait for ever.
     *
     * @return false if the pool always has an acquisition timeout
     */
    protected boolean canWaitForEver() {
        return true;
    }

    /**
     * Whether the pool, once closed past flexpool, refuses requests.
     *
     * @return false if it opens again by itself
     */
    protected boolean staysClosed() {
        return true;
    }

    /**
     * Pools as by {@link #pool}, that take a leased connection back after a second or two, by themselves or by
     * {@link #takeBack}. Of a pool that {@linkplain PoolQuirk#TAKES_NOTHING_BACK takes nothing back}, with those settings
     * that only report a connection which is leased for long.
     *
     * @param from where they connect
     * @param max their max size
     * @param timeout their acquisition timeout
     * @return one for each such setting; unless overridden, one as it is
     */
    protected List<DataSource> takingBack(DataSource from, int max, Duration timeout) {
        return List.of(pool(from, max, timeout));
    }

    /**
     * Has the pool take back what is leased by a method of the pool's own; unless overridden, by none.
     *
     * @param pool the pool itself
     * @throws Exception if that fails
     */
    protected void takeBack(DataSource pool) throws Exception {}

    /**
     * Closes the idle connections by a method of the pool's own, without flexpool. Of a pool whose
     * {@linkplain PoolQuirk#ITS_EVICTION_MISSES_WHAT_IT_IS_LENDING eviction misses what it is lending}.
     *
     * @param pool the pool itself
     * @throws Exception if that fails
     */
    protected void evictByItself(DataSource pool) throws Exception {}

    /**
     * Whether the pool opens connections in the background, or is going to as part of its start: what it opens at the moment
     * of its close may stay open. The end of each test waits until it does not.
     *
     * @param pool the wrapped pool
     * @return false unless overridden; false if the pool has not been started or is closed
     */
    protected boolean isOpening(FlexPoolDataSource pool) {
        return false;
    }

    /**
     * The min idle that the adapter must report for a pool created by {@link #pool}.
     *
     * @param max the max that it was made with
     * @return 0 if the pool keeps none, {@link PoolSnapshot#UNKNOWN} if the adapter does not report it
     */
    protected int minIdle(int max) {
        return 0;
    }

    /**
     * How many connections the pool opens for requests that come when it has none, some in a thread of its own. Of pools
     * that {@linkplain PoolQuirk#LENDS_DEAD_CONNECTIONS lend dead connections}, where it decides what is left to lend.
     *
     * @param requests how many
     * @param max the max that it was made with
     * @return as many as requests, unless overridden
     */
    protected int opens(int requests, int max) {
        return requests;
    }

    /**
     * Has the pool close a leased connection by the pool's own method, in the way that docs/reference/pools.md names.
     *
     * @param pool the pool itself
     * @param lease a connection that flexpool has lent; closed afterwards
     * @throws Exception if that fails
     */
    protected void throwAway(DataSource pool, Connection lease) throws Exception {
        lease.abort(Runnable::run);
    }

    /**
     * What the pool does otherwise than the others.
     *
     * @return mostly nothing
     */
    protected Set<PoolQuirk> quirks() {
        return Set.of();
    }

    /**
     * The pool's classes whose version the build chooses, each with the name of its jar up to the version.
     *
     * @return for example {@code HikariDataSource} and {@code HikariCP-}; empty if the build has one version only
     */
    protected Map<Class<?>, String> jars() {
        return Map.of();
    }

    // ---- what its own tests may use ----

    /**
     * The adapter that flexpool finds for a pool: by the service loader, unless a test says otherwise.
     *
     * @param pool the pool; not changed
     * @return the only one that matches
     */
    protected PoolAdapter adapter(DataSource pool) {
        List<PoolAdapter> found = ServiceLoader.load(PoolAdapterProvider.class).stream()
                .flatMap(provider -> provider.get().adapt(pool).stream())
                .toList();
        assertThat(found).as("adapters for %s", pool.getClass().getName()).hasSize(1);
        return found.get(0);
    }

    /**
     * Begins to wrap a pool, with a listener that keeps the events.
     *
     * @param pool the pool
     * @return a builder
     */
    protected FlexPoolBuilder wrap(DataSource pool) {
        return PlainPools.wrap(pool).name("contract").listener(new Keeper());
    }

    /**
     * Builds, and closes at the end of the test.
     *
     * @param builder ready to build
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

    /** At most so many physical connections more than the pool's quirks say. */
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

    /** No test interrupts more than one thread, or has more than a user's four out when it closes the pool. */
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

    /** The second run of a pool's tests is on its oldest version; a class path that did not change would hide that. */
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

    /** The way down. */
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

    /** The connection past the pool. */
    @Nested
    class OwnConnection extends OwnConnectionContract {
        OwnConnection() {
            super(PoolAdapterContract.this);
        }
    }

    /** Who has the connections. */
    @Nested
    class Leases extends LeaseContract {
        Leases() {
            super(PoolAdapterContract.this);
        }
    }

    /** What the pool takes back by itself. */
    @Nested
    class TakenBack extends TakenBackContract {
        TakenBack() {
            super(PoolAdapterContract.this);
        }
    }

    /** What flexpool leaves alone, and minds. */
    @Nested
    class Boundary extends BoundaryContract {
        Boundary() {
            super(PoolAdapterContract.this);
        }
    }

    /** JDBC, as a caller sees it. */
    @Nested
    class Jdbc extends JdbcContract {
        Jdbc() {
            super(PoolAdapterContract.this);
        }
    }

    /** What is done to the whole pool. */
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

    /** What is left of an application's pool. */
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
