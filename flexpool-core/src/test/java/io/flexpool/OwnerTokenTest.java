// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.RequestClass;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leases of an owner that changes threads: this one, and another. */
@Timeout(300)
class OwnerTokenTest {
    private final FlexPoolDataSource pool = wrap("fake").build();
    private final ExecutorService other = Executors.newSingleThreadExecutor(work -> new Thread(work, "other"));

    private static FlexPoolBuilder wrap(String name) {
        FakePool fake = new FakePool();
        return FlexPool.wrap(fake.dataSource).name(name).adapter(fake);
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        assertThat(OwnerToken.currentId()).isEqualTo(Thread.currentThread().getId());
        other.submit(() -> assertThat(OwnerToken.currentId())
                        .isEqualTo(Thread.currentThread().getId()))
                .get();
        other.shutdown();
        pool.close();
    }

    private interface Work<T> {
        T run() throws Exception;
    }

    private static <T> T carrying(OwnerToken token, Work<T> work) throws Exception {
        try (PoolScope.Opened carried = token.makeCurrent()) {
            assertThat(carried).isNotNull();
            return work.run();
        }
    }

    private <T> T elsewhere(OwnerToken token, Work<T> work) throws Exception {
        return other.submit(() -> carrying(token, work)).get();
    }

    private long nested() {
        return pool.statistics().total().counter(PoolMetric.NESTED_ACQUISITIONS);
    }

    @Test
    void aThreadThatHasLeftATokenWithALeaseIsNotNested() throws Exception {
        OwnerToken token = OwnerToken.create("checkout");
        Connection held = carrying(token, pool::getConnection);
        pool.getConnection().close();
        carrying(OwnerToken.create("another"), pool::getConnection).close();
        assertThat(nested()).isZero();
        elsewhere(token, () -> {
            held.close();
            return held;
        });
        assertThat(pool.openLeases()).isEmpty();
    }

    @Test
    void aTokensSecondRequestIsNestedOnAnyThread() throws Exception {
        OwnerToken token = OwnerToken.create("checkout");
        Connection held = carrying(token, pool::getConnection);
        elsewhere(token, pool::getConnection).close();
        assertThat(nested()).isEqualTo(1);
        held.close();
        elsewhere(token, pool::getConnection).close();
        assertThat(nested()).isEqualTo(1);
    }

    @Test
    void strictRefusesItByTheTokensName() throws Exception {
        try (FlexPoolDataSource strict = wrap("strict").set("nested", "strict").build()) {
            OwnerToken token = OwnerToken.create("checkout");
            try (Connection held = carrying(token, strict::getConnection)) {
                assertThat(held).isNotNull();
                assertThatThrownBy(() -> elsewhere(token, strict::getConnection))
                        .isInstanceOf(ExecutionException.class)
                        .cause()
                        .isInstanceOf(SQLException.class)
                        .hasMessageMatching(
                                "strict: nested = strict: checkout#\\d+ on other requests a second " + "connection.*");
            }
        }
    }

    @Test
    void anOpenLeaseNamesItsToken() throws Exception {
        OwnerToken token = OwnerToken.create("checkout");
        try (Connection held = carrying(token, pool::getConnection)) {
            assertThat(held).isNotNull();
            OpenLease lease = pool.openLeases().get(0);
            assertThat(lease.thread()).isEqualTo(token.toString()).matches("checkout#\\d+");
            assertThat(lease.threadId()).isEqualTo(token.id()).isNegative();
            assertThat(lease.virtualThread()).isFalse();
            token.name("refund");
            assertThat(elsewhere(token, () -> pool.openLeases().get(0).thread()))
                    .matches("refund#\\d+ on other");
            assertThat(elsewhere(token, OwnerToken::currentId)).isEqualTo(token.id());
        }
    }

    @Test
    void aChildIsAnotherOwner() throws Exception {
        OwnerToken token = OwnerToken.create("checkout");
        try (Connection held = carrying(token, pool::getConnection)) {
            assertThat(held).isNotNull();
            OwnerToken child = token.child();
            assertThat(child.id()).isNotEqualTo(token.id());
            assertThat(child.toString()).startsWith("checkout#");
            carrying(child, pool::getConnection).close();
        }
        assertThat(nested()).isZero();
    }

    /** Every second one had the number of the one before, so that a parent seemed to hold what its child held. */
    @Test
    void eachTokenHasANumberOfItsOwn() {
        Set<Long> numbers = new HashSet<>();
        OwnerToken token = OwnerToken.create("checkout");
        for (int count = 0; count < 100; count++) {
            numbers.add(token.id());
            token = token.child();
        }
        assertThat(numbers).hasSize(100).allMatch(number -> number < 0);
    }

    @Test
    void tokensWithinEachOtherEndInOrder() throws Exception {
        OwnerToken outer = OwnerToken.create("outer");
        OwnerToken inner = OwnerToken.create("inner");
        PoolScope.Opened first = outer.makeCurrent();
        PoolScope.Opened again = outer.makeCurrent();
        PoolScope.Opened second = inner.makeCurrent();
        assertThat(OwnerToken.currentId()).isEqualTo(inner.id());
        first.close();
        assertThat(OwnerToken.currentId()).isEqualTo(inner.id());
        assertThat(outer.toString()).as("carried a second time").contains(" on ");
        second.close();
        second.close();
        assertThat(OwnerToken.currentId()).isEqualTo(outer.id());
        again.close();
        assertThat(outer.toString()).doesNotContain(" on ");
    }

    /** The inner one restored the outer one, which was closed, and the thread acted for it for ever. */
    @Test
    void aTokenThatWasClosedBeforeTheInnerOneDoesNotComeBack() throws Exception {
        OwnerToken outer = OwnerToken.create("outer");
        OwnerToken inner = OwnerToken.create("inner");
        PoolScope.Opened first = outer.makeCurrent();
        PoolScope.Opened second = inner.makeCurrent();
        first.close();
        second.close();
        assertThat(OwnerToken.currentId()).isEqualTo(Thread.currentThread().getId());
        assertThat(outer.toString()).doesNotContain(" on ");
        Connection held = elsewhere(outer, pool::getConnection);
        pool.getConnection().close();
        assertThat(nested()).as("this thread holds nothing").isZero();
        held.close();
    }

    @Test
    void inWhateverOrderThreeAreClosedTheInnermostOpenOneIsCarried() {
        int[][] orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
        for (int[] order : orders) {
            OwnerToken[] tokens = {OwnerToken.create("a"), OwnerToken.create("b"), OwnerToken.create("c")};
            PoolScope.Opened[] carried = {tokens[0].makeCurrent(), tokens[1].makeCurrent(), tokens[2].makeCurrent()};
            boolean[] open = {true, true, true};
            for (int closed : order) {
                carried[closed].close();
                open[closed] = false;
                long expected = Thread.currentThread().getId();
                for (int at = 0; at < open.length; at++) {
                    expected = open[at] ? tokens[at].id() : expected;
                }
                assertThat(OwnerToken.currentId()).isEqualTo(expected);
            }
            assertThat(tokens).noneMatch(token -> token.toString().contains(" on "));
        }
    }

    @Test
    void aTokenThatIsClosedOnAnotherThreadIsCarriedNoLonger() throws Exception {
        OwnerToken token = OwnerToken.create("checkout");
        PoolScope.Opened carried = token.makeCurrent();
        other.submit(carried::close).get();
        assertThat(OwnerToken.currentId()).isEqualTo(Thread.currentThread().getId());
        assertThat(token.toString()).doesNotContain(" on ");
    }

    @Test
    void aTokenThatGoesOnElsewhereBeforeThisThreadLeavesItStaysThere() throws Exception {
        OwnerToken token = OwnerToken.create("checkout");
        PoolScope.Opened here = token.makeCurrent();
        PoolScope.Opened there = other.submit(token::makeCurrent).get();
        here.close();
        assertThat(token.toString()).endsWith(" on other");
        other.submit(there::close).get();
        assertThat(token.toString()).doesNotContain(" on ");
    }

    @Test
    void scopesGoOnWithTheTokenAndItsChildren() throws Exception {
        try (FlexPoolDataSource classed =
                wrap("classed").set("base", 2).set("classes", "web, batch").build()) {
            OwnerToken before = OwnerToken.create("before");
            PoolScope.Opened own = PoolScope.of("batch").open();
            OwnerToken within = OwnerToken.create("within");
            assertThat(classOf(classed)).isEqualTo("batch");
            assertThat(carrying(before, () -> classOf(classed))).isEqualTo("web");
            assertThat(elsewhere(within, () -> classOf(classed))).isEqualTo("batch");
            own.close();
            assertThat(elsewhere(within, () -> classOf(classed))).isEqualTo("web");
            PoolScope.Opened opened =
                    carrying(before, () -> PoolScope.of("batch").open());
            assertThat(classOf(classed)).isEqualTo("web");
            assertThat(elsewhere(before, () -> classOf(classed))).isEqualTo("batch");
            assertThat(elsewhere(before.child(), () -> classOf(classed))).isEqualTo("batch");
            opened.close();
            assertThat(elsewhere(before, () -> classOf(classed))).isEqualTo("web");
        }
    }

    private static String classOf(FlexPoolDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            assertThat(connection).isNotNull();
            return pool.classes().stream()
                    .filter(one -> one.leased() == 1)
                    .map(RequestClass::name)
                    .findFirst()
                    .orElseThrow();
        }
    }
}
