// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.contract.PoolAdapterContract;
import io.flexpool.adapter.tck.contract.PoolQuirk;
import io.flexpool.adapter.tck.database.StubDatabase;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.logicalcobwebs.proxool.ProxoolDataSource;
import org.logicalcobwebs.proxool.ProxoolFacade;

class ProxoolAdapterTest extends PoolAdapterContract {
    private final AtomicInteger pools = new AtomicInteger();

    @Override
    protected DataSource pool(DataSource source, int max, Duration timeout) {
        ProxoolDataSource pool = pool(max);
        pool.setMinimumConnectionCount(0);
        pool.setPrototypeCount(0);
        pool.setSimultaneousBuildThrottle(100);
        pool.setTestBeforeUse(true);
        pool.setHouseKeepingTestSql("select 1");
        return pool;
    }

    @Override
    protected List<DataSource> takingBack(DataSource from, int max, Duration timeout) {
        ProxoolDataSource pool = (ProxoolDataSource) pool(from, max, timeout);
        pool.setMaximumActiveTime(1_000);
        pool.setHouseKeepingSleepTime(300);
        return List.of(pool);
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLException.class;
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of(Capability.PER_CALL_TIMEOUT);
    }

    @Override
    protected String maxSizeKey() {
        return "maximumConnectionCount";
    }

    @Override
    protected boolean canWaitForEver() {
        return false;
    }

    /** The next request makes the pool anew. */
    @Override
    protected boolean staysClosed() {
        return false;
    }

    @Override
    protected Set<PoolQuirk> quirks() {
        return Set.of(
                PoolQuirk.WAITS_AT_THE_GATE_ONLY, PoolQuirk.ITS_THREADS_STAY, PoolQuirk.REFUSES_ALTHOUGH_THERE_IS_ROOM);
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(2);
    }

    private ProxoolDataSource pool(int max) {
        ProxoolDataSource pool = new ProxoolDataSource();
        pool.setAlias("stub-" + database.url() + "-" + pools.incrementAndGet());
        pool.setDriver("io.flexpool.adapter.tck.database.StubDriver");
        pool.setDriverUrl(database.url());
        pool.setUser("app");
        pool.setPassword("secret");
        pool.setMaximumConnectionCount(max);
        return pool;
    }

    private static long count(FlexPoolDataSource pool, AcquisitionOutcome outcome) {
        return pool.statistics().total().acquisition(outcome).count();
    }

    /** As many threads as places, so that there is always room. The gate alone would not help. */
    @Test
    void aBoundPoolRepeatsUnjustifiedRefusals() throws Exception {
        ProxoolDataSource bare = pool(4);
        AtomicInteger refused = new AtomicInteger();
        for (int round = 0; round < 20 && refused.get() == 0; round++) {
            refused.addAndGet(refusedOf(bare).size());
        }
        assertThat(refused).as("refused by the pool").hasPositiveValue();
        FlexPoolDataSource bound =
                build(wrap(pool(4)).set("base", 4).set("acquisition-timeout", Duration.ofSeconds(20)));
        assertThat(refusedOf(bound)).isEmpty();
        new LegacyAdapterProvider().adapt(bare).orElseThrow().close();
    }

    private static List<Throwable> refusedOf(DataSource pool) throws InterruptedException {
        try (Crowd crowd = new Crowd()) {
            crowd.cycle(4, pool, Duration.ZERO, Duration.ofSeconds(1)).join();
            return crowd.failures();
        }
    }

    /**
     * Regression: another request threw the last connection away between Proxool's look at the size of its list and that at
     * the element, and a request failed with an IndexOutOfBoundsException although there was room.
     */
    @Test
    void aRequestThatFindsTheLastConnectionGoneIsRepeated() throws Exception {
        ProxoolDataSource raw = pool(2);
        PoolAdapter adapter = adapter(raw);
        adapter.connection(Duration.ofMinutes(1).toNanos()).close();
        Method instance = Class.forName("org.logicalcobwebs.proxool.ConnectionPoolManager")
                .getDeclaredMethod("getInstance");
        instance.setAccessible(true);
        Method named = instance.getDeclaringClass().getDeclaredMethod("getConnectionPool", String.class);
        named.setAccessible(true);
        Object pool = named.invoke(instance.invoke(null), raw.getAlias());
        ProxoolFacade.killAllConnections(raw.getAlias(), "gone", true);
        Field connections = pool.getClass().getDeclaredField("proxyConnections");
        connections.setAccessible(true);
        connections.set(pool, new Emptied());
        assertThatThrownBy(raw::getConnection).as("the bare pool").hasMessageContaining("IndexOutOfBounds");
        connections.set(pool, new Emptied());
        Connection served = adapter.connection(Duration.ofMinutes(1).toNanos());
        assertThat(served.isValid(1)).isTrue();
        served.close();
        adapter.close();
    }

    /** Had an element when its size was read, and has none when that is. */
    private static final class Emptied extends ArrayList<Object> {
        private static final long serialVersionUID = 1L;

        private boolean read;

        @Override
        public int size() {
            return read ? super.size() : 1;
        }

        @Override
        public Object get(int index) {
            read = true;
            return super.get(index);
        }
    }

    /** One of them makes the pool, and the others may find it half made. */
    @Test
    void theFirstRequestsAreAllServed() throws Exception {
        for (int round = 0; round < 30; round++) {
            FlexPoolDataSource pool =
                    build(wrap(pool(4)).set("base", 4).set("acquisition-timeout", Duration.ofSeconds(20)));
            try (Crowd crowd = new Crowd()) {
                crowd.ask(4, pool).join();
                assertThat(crowd.failures()).isEmpty();
            }
            pool.close();
        }
    }

    /** A request failed with an ArrayIndexOutOfBoundsException of Proxool's list of aliases. */
    @Test
    void aPoolIsReadWhileOthersStartAndEnd() throws Exception {
        ProxoolDataSource raw = pool(1);
        raw.getConnection().close();
        PoolAdapter adapter = adapter(raw);
        FutureTask<Void> others = new FutureTask<>(() -> {
            for (int other = 0; other < 300; other++) {
                ProxoolDataSource pool = pool(1);
                pool.getConnection().close();
                adapter(pool).close();
            }
            return null;
        });
        new Thread(others, "other-pools").start();
        while (!others.isDone()) {
            assertThat(adapter.snapshot().max()).isOne();
        }
        others.get();
        adapter.close();
    }

    /** It repeats its request meanwhile; other requests keep their timeouts. */
    @Test
    void anInterruptEndsTheAskingAgain() throws Exception {
        ProxoolDataSource raw = pool(1);
        FlexPoolDataSource bound = build(wrap(raw).set("base", 1).set("acquisition-timeout", Duration.ofSeconds(60)));
        try (Connection past = raw.getConnection();
                Crowd crowd = new Crowd()) {
            assertThat(past).isNotNull();
            crowd.ask(1, bound);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> bound.state().pending() == 1))
                    .isTrue();
            crowd.interrupt();
            crowd.join();
            assertThat(crowd.failures()).singleElement().isInstanceOf(SQLException.class);
        }
        assertThat(count(bound, AcquisitionOutcome.INTERRUPTED)).isOne();
    }

    @Test
    void aFullPoolIsExhaustedAtOnceAndHasFigures() throws Exception {
        FlexPoolDataSource pool = FlexPool.wrap(pool(2)).name("full").build();
        assertThat(pool.state().pool()).isEqualTo(new PoolSnapshot(2, 0, 0, 0, 0, PoolSnapshot.UNKNOWN));
        assertThat(database.connectAttempts()).as("a look at it starts it").isZero();
        try (Connection one = pool.getConnection();
                Connection two = pool.getConnection()) {
            assertThat(one.getCatalog()).isNotEqualTo(two.getCatalog());
            assertThat(pool.state().pool()).isEqualTo(new PoolSnapshot(2, 0, 2, 0, 2, PoolSnapshot.UNKNOWN));
            assertThatThrownBy(pool::getConnection).isExactlyInstanceOf(SQLException.class);
        }
        assertThat(pool.state().pool()).isEqualTo(new PoolSnapshot(2, 0, 0, 2, 2, PoolSnapshot.UNKNOWN));
        assertThat(count(pool, AcquisitionOutcome.TIMEOUT)).isOne();
        pool.close();
        assertThat(database.open()).isZero();
    }

    @Test
    void withATimeoutRequestsWaitAtTheGate() throws Exception {
        FlexPoolDataSource pool = FlexPool.wrap(pool(2))
                .name("gate")
                .set("base", 1)
                .set("acquisition-timeout", Duration.ofMillis(100))
                .build();
        try (Connection one = pool.getConnection()) {
            assertThat(one).isNotNull();
            assertThatThrownBy(pool::getConnection)
                    .isExactlyInstanceOf(SQLException.class)
                    .hasMessageContaining("exhausted, every connection is in use");
        }
        pool.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = StubDatabase.Fault.class,
            names = {"REFUSED", "WRONG_PASSWORD", "NO_SUCH_DATABASE", "TOO_MANY_CONNECTIONS"})
    void aDatabaseThatRefusesIsAConnectFailure(StubDatabase.Fault fault) throws Exception {
        FlexPoolDataSource pool = FlexPool.wrap(pool(2)).name("refused").build();
        database.fault(fault);
        assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
        database.fault(StubDatabase.Fault.NONE);
        try (Connection one = pool.getConnection()) {
            assertThat(one).isNotNull();
            database.fault(fault);
            assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
        }
        assertThat(count(pool, AcquisitionOutcome.CONNECT_FAILURE)).isEqualTo(2);
        assertThat(count(pool, AcquisitionOutcome.TIMEOUT)).isZero();
        pool.close();
    }

    @Test
    void theCeilingIsSetBeforeTheStartOrRefused() throws Exception {
        ProxoolDataSource raw = pool(2);
        PoolAdapter adapter = new LegacyAdapterProvider().adapt(raw).orElseThrow();
        adapter.prepare(2, 20);
        assertThat(raw.getMaximumConnectionCount()).isEqualTo(20);
        assertThat(raw.getSimultaneousBuildThrottle()).isEqualTo(20);
        adapter.restore();
        assertThat(raw.getMaximumConnectionCount()).isEqualTo(2);
        assertThat(raw.getSimultaneousBuildThrottle()).isEqualTo(10);
        raw.getConnection().close();
        assertThatThrownBy(() -> adapter.prepare(2, 20))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maximumConnectionCount");
        adapter.close();
    }

    @Test
    void anAbortedConnectionIsNotLentAgain() throws Exception {
        FlexPoolDataSource pool = FlexPool.wrap(pool(1)).name("aborted").build();
        Connection aborted = pool.getConnection();
        String which = aborted.getCatalog();
        aborted.abort(Runnable::run);
        try (Connection next = pool.getConnection()) {
            assertThat(next.getCatalog()).isNotEqualTo(which);
        }
        pool.close();
    }

    @Test
    void afterCloseTheAliasIsGoneAndNoRequestMakesItAnew() throws Exception {
        ProxoolDataSource raw = pool(1);
        FlexPoolDataSource pool = FlexPool.wrap(raw).name("closed").build();
        pool.getConnection().close();
        pool.close();
        assertThat(ProxoolFacade.getAliases()).doesNotContain(raw.getAlias());
        assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
        assertThat(ProxoolFacade.getAliases()).doesNotContain(raw.getAlias());
        assertThat(database.open()).isZero();
    }
}
