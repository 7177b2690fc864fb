// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener.LeaseInspector;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.monitoring.PoolMetric;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Begin and end of a close watch. */
class LeaseInspectionTest {
    private final FakePool fake = new FakePool();
    private final FlexPoolDataSource pool = FlexPool.wrap(fake.dataSource)
            .name("fake")
            .adapter(fake)
            .set("call-sites.sample-every", 1_000_000)
            .build();
    private final List<PoolEvent.NestedAcquisition> nested = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        pool.close();
    }

    /** The first lease of a slot is always captured. */
    private void useUpTheFirst() throws SQLException {
        pool.getConnection().close();
        assertThat(captured()).isFalse();
    }

    private boolean captured() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            assertThat(connection).isNotNull();
            return pool.openLeases().get(0).callSite() != null;
        }
    }

    @Test
    void callSitesAreCapturedUntilTheLastWatchEnds() throws SQLException {
        useUpTheFirst();
        OpenLease.Inspection one = pool.inspectLeases(nested::add);
        OpenLease.Inspection two = pool.inspectLeases(nested::add);
        assertThat(captured()).isTrue();
        assertThat(captured()).isTrue();
        one.close();
        one.close();
        // The loop looks four times a second, and must not end what the other one wants.
        long closed = System.nanoTime();
        eventually(() -> {
            assertThat(captured()).isTrue();
            return System.nanoTime() - closed > TimeUnit.MILLISECONDS.toNanos(600);
        });
        two.close();
        eventually(() -> !captured());
    }

    @Test
    void eachNestedAcquisitionIsReportedToTheWatch() throws SQLException {
        try (OpenLease.Inspection watch = pool.inspectLeases(nested::add)) {
            assertThat(watch).isNotNull();
            nest();
            nest();
        }
        assertThat(nested).hasSize(2).allSatisfy(event -> {
            assertThat(event.pool()).isEqualTo("fake");
            assertThat(event.thread()).isEqualTo(Thread.currentThread().getName());
            assertThat(event.callSiteOfHeld()).startsWith("LeaseInspectionTest.nest(LeaseInspectionTest.java:");
            assertThat(event.callSite())
                    .startsWith("LeaseInspectionTest.nest(LeaseInspectionTest.java:")
                    .isNotEqualTo(event.callSiteOfHeld());
        });
        nest();
        assertThat(nested).hasSize(2);
        assertThat(pool.statistics().total().counter(PoolMetric.NESTED_ACQUISITIONS))
                .isEqualTo(3);
    }

    private void nest() throws SQLException {
        Connection one = pool.getConnection();
        Connection two = pool.getConnection();
        two.close();
        one.close();
    }

    @Test
    void aLeaseIsKnownByItsNumberAndNoOtherHasIt() throws SQLException {
        OpenLease.Inspection watch = pool.inspectLeases(nested::add);
        Connection one = pool.getConnection();
        Connection two = pool.getConnection();
        Map<Long, OpenLease> both = watch.openLeases();
        assertThat(both).hasSize(2);
        two.close();
        assertThat(watch.openLeases()).hasSize(1);
        assertThat(both.keySet()).containsAll(watch.openLeases().keySet());
        // In the slot that has become free.
        Connection three = pool.getConnection();
        assertThat(watch.openLeases()).hasSize(2);
        assertThat(newIn(watch.openLeases(), both)).hasSize(1);
        pool.close();
        assertThat(watch.openLeases()).hasSize(2);
        one.close();
        three.close();
        assertThat(watch.openLeases()).isEmpty();
    }

    private static List<Long> newIn(Map<Long, OpenLease> after, Map<Long, OpenLease> before) {
        return after.keySet().stream()
                .filter(number -> !before.containsKey(number))
                .toList();
    }

    @Test
    void aDisabledPoolRefusesAnInspection() {
        FakePool other = new FakePool();
        FlexPoolDataSource disabled = FlexPool.wrap(other.dataSource)
                .name("off")
                .adapter(other)
                .set("enabled", false)
                .build();
        assertThatThrownBy(() -> disabled.inspectLeases(nested::add))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("off: flexpool is disabled: no lease is recorded");
    }

    /** What an inspector was notified of. */
    private static final class Seen implements LeaseInspector {
        private final List<String> all = new CopyOnWriteArrayList<>();

        @Override
        public void acquired(long number, @Nullable String callSite) {
            all.add("acquired " + number + " " + callSite);
        }

        @Override
        public void released(long number, String callSite, Duration held) {
            assertThat(held).isPositive();
            all.add("released " + number + " " + callSite);
        }

        @Override
        public void nested(PoolEvent.NestedAcquisition event) {
            all.add("nested " + event.callSite());
        }
    }

    @Test
    void eachLeaseIsReportedWithItsNumber() throws SQLException {
        useUpTheFirst();
        Seen seen = new Seen();
        List<String> expected = new ArrayList<>();
        try (OpenLease.Inspection watch = pool.inspectLeases(seen)) {
            for (int lease = 0; lease < 3; lease++) {
                try (Connection connection = pool.getConnection()) {
                    assertThat(connection).isNotNull();
                    Map.Entry<Long, OpenLease> open =
                            watch.openLeases().entrySet().iterator().next();
                    String its = open.getKey() + " " + open.getValue().callSite();
                    expected.addAll(List.of("acquired " + its, "released " + its));
                }
            }
            nest();
        }
        assertThat(seen.all).startsWith(expected.toArray(String[]::new)).hasSize(11);
        assertThat(seen.all.get(7)).startsWith("nested LeaseInspectionTest.nest(");
        nest();
        assertThat(seen.all).hasSize(11);
    }

    @Test
    void whatAnInspectorThrowsReachesNoCaller() throws SQLException {
        LeaseInspector broken = new LeaseInspector() {
            @Override
            public void acquired(long number, @Nullable String callSite) {
                throw new IllegalStateException("the inspector is broken");
            }

            @Override
            public void released(long number, String callSite, Duration held) {
                throw new IllegalStateException("the inspector is broken");
            }
        };
        try (OpenLease.Inspection watch = pool.inspectLeases(broken)) {
            pool.getConnection().close();
            assertThat(watch.openLeases()).isEmpty();
        }
        assertThat(pool.state().leased()).isZero();
    }

    @Test
    void withoutCallSitesAnInspectorIsRefused() {
        FakePool other = new FakePool();
        try (FlexPoolDataSource without = FlexPool.wrap(other.dataSource)
                .name("without")
                .adapter(other)
                .set("call-sites.sample-every", 0)
                .build()) {
            assertThatThrownBy(() -> without.inspectLeases(new Seen()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("without: call-sites.sample-every = 0: no lease is inspected. Set it from 1 to"
                            + " 1000000 to inspect leases.");
        }
    }
}
