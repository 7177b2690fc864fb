// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.StubDatabase;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.adapter.tck.faults.HeapGrowth;
import io.flexpool.adapter.tck.faults.SoakCrew;
import io.flexpool.adapter.tck.faults.SoakLedger;
import io.flexpool.adapter.tck.faults.SoakWitness;
import io.flexpool.diagnostics.CallSiteStatistics;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolStatistics.Figures;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolState;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fifty threads use connections like applications for a time, at random, with listeners that throw. At the end the
 * counts of the threads, the pool, the listeners and the database must agree. A pool's test declares how to create the
 * pool.
 *
 * <p>The system property {@code soak.seconds} is the length of each soak, 2 by default; {@code soak.seed} repeats the
 * choices of another run: every failure names its seed.
 */
@Isolated
public abstract class PoolSoakContract {
    private static final Logger LOG = LoggerFactory.getLogger(PoolSoakContract.class);
    private static final int THREADS = 50;
    private static final int BASE = 8;
    private static final int CEILING = 12;
    private static final Duration TIMEOUT = Duration.ofMillis(400);
    private static final Duration REST = Duration.ofMinutes(2);
    /** In a shorter soak the heap of a busy machine proves nothing: the profile soak takes a minute. */
    private static final Duration LEAST_OF_A_GROWTH = Duration.ofMinutes(1);
    /** The leak threshold: hoarding threads exceed it, most other threads do not. */
    private static final Duration LEAK = Duration.ofMillis(200);

    private final Duration time = Duration.ofSeconds(Long.getLong("soak.seconds", 2));
    private final long seed = Long.getLong("soak.seed", System.nanoTime());
    private final StubDatabase database = new StubDatabase();
    private final SoakWitness witness = new SoakWitness(seed);

    /** Called by a pool's test. */
    protected PoolSoakContract() {}

    /**
     * Creates a pool that has not connected yet.
     *
     * @param database the database for the pool's connections
     * @param max its max size
     * @param timeout its acquisition timeout
     * @return the pool
     */
    protected abstract DataSource pool(DataSource database, int max, Duration timeout);

    /**
     * The class of exception that the pool throws when it is exhausted.
     *
     * @return the exact class
     */
    protected abstract Class<? extends SQLException> timeoutClass();

    /** With all features that are off by default. */
    @Test
    void aBoundPoolBalances() throws Exception {
        FlexPoolBuilder bound = PlainPools.wrap(pool(database.dataSource(), BASE, TIMEOUT))
                .set("call-sites.sample-every", 1)
                .set("time-in-database", true)
                .set("statement-text", true)
                .set("leak.threshold", LEAK)
                .set("base", BASE)
                .set("ceiling", CEILING)
                .set("grow-on-wait.enabled", true);
        Figures total = soak(bound, CEILING, true);
        assertThat(total.counter(PoolMetric.GROWTHS)).as("growths, %s", this).isPositive();
        assertThat(total.counter(PoolMetric.LEAKS_SUSPECTED))
                .as("suspected leaks, %s", this)
                .isPositive();
    }

    @Test
    void aWatchedPoolBalances() throws Exception {
        Figures total = soak(PlainPools.wrap(pool(database.dataSource(), BASE, TIMEOUT)), BASE, false);
        assertThat(total.counter(PoolMetric.GROWTHS)).as("growths, %s", this).isZero();
    }

    private Figures soak(FlexPoolBuilder builder, int most, boolean everything) throws Exception {
        SoakLedger ledger = new SoakLedger(timeoutClass());
        FlexPoolDataSource pool = builder.name("soak")
                .set("slow-acquisition", SoakWitness.SLOW)
                .set("long-lease", SoakWitness.SLOW)
                .observer(witness.observer())
                .listener(witness.thrower())
                .listener(witness.counting())
                .build();
        try {
            SoakCrew crew = new SoakCrew(
                    pool,
                    ledger,
                    most,
                    seed,
                    () -> !everything || witness.counting().suspected.sum() > 0);
            crew.fill(BASE);
            HeapGrowth heap = crew.run(THREADS, time, () -> tried(ledger));
            assertThat(ledger.wrongs()).as("what must not happen, %s", this).isEmpty();
            everythingWasTried(ledger);
            nothingIsOut(pool, most);
            LOG.info("{}, {}: {}; {}; {} leaks suspected", this, pool, heap, ledger, witness.counting().suspected);
            if (time.compareTo(LEAST_OF_A_GROWTH) >= 0) {
                assertThat(heap.late())
                        .as("bytes in use at the end, %d after the first tenth, %s", heap.early(), this)
                        .isLessThanOrEqualTo(heap.allowed());
            }
        } finally {
            pool.close();
        }
        assertThat(Crowd.eventually(REST, () -> database.open() == 0))
                .as("%d physical connections are open after close, %s", database.open(), this)
                .isTrue();
        Figures total = pool.statistics().total();
        SoftAssertions accounts = new SoftAssertions();
        thePoolAgreesWithTheThreads(accounts, total, ledger);
        thePlacesAgreeWithThePool(accounts, pool.diagnosis().callSites(), total, everything);
        theListenersAgreeWithThePool(accounts, total, pool.state());
        accounts.assertAll();
        return total;
    }

    private boolean tried(SoakLedger ledger) {
        return ledger.endings().values().stream().allMatch(times -> times.sum() > 0)
                && ledger.interrupted() > 0
                && ledger.timedOut() > 0
                && witness.thrown() > 0;
    }

    private void everythingWasTried(SoakLedger ledger) {
        assertThat(ledger.endings())
                .as("ways that were tried, %s", this)
                .allSatisfy((ending, times) -> assertThat(times.sum()).isPositive());
        assertThat(ledger.interrupted()).as("interrupted requests, %s", this).isPositive();
        assertThat(ledger.timedOut()).as("timed out requests, %s", this).isPositive();
        assertThat(witness.thrown()).as("throws of listeners, %s", this).isPositive();
    }

    private void nothingIsOut(FlexPoolDataSource pool, int most) throws InterruptedException {
        assertThat(Crowd.eventually(REST, () -> atRest(pool.state())))
                .as("at rest with %d physical connections: %s, %s", database.open(), pool.state(), this)
                .isTrue();
        assertThat(pool.openLeases()).as("open leases at rest, %s", this).isEmpty();
        SoakWitness.Listener counted = witness.counting();
        // A suspect that ended meanwhile is resolved at the next tick.
        assertThat(Crowd.eventually(REST, () -> counted.resolved.sum() == counted.suspected.sum()))
                .as("%s of %s suspected leaks are resolved, %s", counted.resolved, counted.suspected, this)
                .isTrue();
        assertThat(database.peak()).as("most physical connections, %s", this).isLessThanOrEqualTo(most);
    }

    private boolean atRest(PoolState state) {
        return state.leased() == 0
                && state.pending() == 0
                && state.foreign() == 0
                && state.pool().active() == 0
                && state.pool().idle() == database.open()
                && state.pool().total() == database.open();
    }

    private void thePoolAgreesWithTheThreads(SoftAssertions accounts, Figures total, SoakLedger ledger) {
        agree(accounts, "acquisitions", count(total, AcquisitionOutcome.OK), ledger.served());
        agree(
                accounts,
                "attempts",
                total.durations(PoolMetric.ATTEMPT, AcquisitionOutcome.OK).count(),
                ledger.served());
        agree(accounts, "leases", total.leases().count(), ledger.served());
        agree(accounts, "timeouts", count(total, AcquisitionOutcome.TIMEOUT), ledger.timedOut());
        agree(accounts, "interrupts", count(total, AcquisitionOutcome.INTERRUPTED), ledger.interrupted());
        agree(accounts, "nested acquisitions", total.counter(PoolMetric.NESTED_ACQUISITIONS), ledger.nested());
        agree(accounts, "connect failures", count(total, AcquisitionOutcome.CONNECT_FAILURE), 0);
        agree(accounts, "rejections", count(total, AcquisitionOutcome.REJECTED), 0);
        agree(accounts, "errors", count(total, AcquisitionOutcome.ERROR), 0);
    }

    /** With sampling only a part of the leases has a call site; with full capture all have one. */
    private void thePlacesAgreeWithThePool(
            SoftAssertions accounts, List<CallSiteStatistics> places, Figures total, boolean everything) {
        long captured = places.stream().mapToLong(CallSiteStatistics::count).sum();
        if (everything) {
            agree(accounts, "leases of call sites", captured, total.leases().count());
            accounts.assertThat(places)
                    .as("time in the database, %s", this)
                    .allSatisfy(place -> assertThat(place.idleShare()).isBetween(0.0, 1.0));
        } else {
            accounts.assertThat(captured)
                    .as("leases of call sites, %s", this)
                    .isBetween(1L, total.leases().count() - 1);
        }
    }

    private void theListenersAgreeWithThePool(SoftAssertions accounts, Figures total, PoolState state) {
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            agree(accounts, "observed " + outcome, witness.acquired(outcome), count(total, outcome));
        }
        agree(accounts, "observed releases", witness.released(), total.leases().count());
        SoakWitness.Listener counted = witness.counting();
        agree(accounts, "reported timeouts", counted.timedOut.sum(), count(total, AcquisitionOutcome.TIMEOUT));
        accounts.assertThat(counted.connectFailuresTold)
                .as("reported connect failures of a database that is up, %s", this)
                .isEmpty();
        agree(
                accounts,
                "reported connect failures",
                counted.connectFailures.sum(),
                total.counter(PoolMetric.CONNECT_FAILURES));
        agree(accounts, "reported slow acquisitions", counted.slow.sum(), witness.slow());
        agree(accounts, "reported long leases", counted.longLeases.sum(), witness.longLeases());
        agree(accounts, "reported growths", counted.growths.sum(), total.counter(PoolMetric.GROWTHS));
        agree(accounts, "reported shrinks", counted.shrinks.sum(), total.counter(PoolMetric.SHRINKS));
        long moved = state.bound() ? state.limit() - state.base() : 0;
        agree(accounts, "reported moves of the limit, all together", counted.moved.sum(), moved);
        agree(accounts, "reported suspected leaks", counted.suspected.sum(), total.counter(PoolMetric.LEAKS_SUSPECTED));
        agree(accounts, "reported closes", counted.closed.sum(), 1);
        agree(accounts, "errors of listeners", total.counter(PoolMetric.LISTENER_ERRORS), witness.thrown());
    }

    private void agree(SoftAssertions accounts, String what, long one, long other) {
        accounts.assertThat(one).as("%s, %s", what, this).isEqualTo(other);
    }

    private static long count(Figures total, AcquisitionOutcome outcome) {
        return total.acquisition(outcome).count();
    }

    @Override
    public String toString() {
        return "soak of " + time.toSeconds() + " s, -Dsoak.seed=" + seed;
    }
}
