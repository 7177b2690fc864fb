// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.GrowOnWait;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.sizing.SizingPolicy.SizingStep;
import io.flexpool.pool.PoolMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Invariants of the limit for any decision of a controller, with leases, outages, missing connections, switches of the
 * mode and moved limits in between. A controller that decides at random and sometimes throws is worse than any real
 * one.
 */
class SizingInvariantsPropertyTest {
    private static final int MIN = 2;
    private static final List<PoolMode> MODES = List.of(PoolMode.values());

    private final Random luck = new Random();
    private FakePool fake = new FakePool();
    private final Deque<Connection> out = new ArrayDeque<>();
    private int closedByTheTest;
    private long refusedNanos;
    private boolean refused;

    @Property(tries = 40)
    void theLimitStaysWithinItsBoundsAndGrowsOnlyWhereItMay(@ForAll long seed) throws Exception {
        luck.setSeed(seed);
        // One instance serves all tries.
        fake = new FakePool();
        closedByTheTest = 0;
        refused = false;
        try (SizedPool sized = new SizedPool(fake, said -> {
            said.set(CoreKey.BASE, 4);
            said.set(CoreKey.MODE, PoolMode.ADAPT);
            said.set(CoreKey.ACQUISITION_TIMEOUT, Duration.ofMillis(1));
            said.strategies.add(GrowOnWait.upTo(8).withAfter(Duration.ZERO));
            said.controller = (settings, mode) -> window -> decide(window.limit());
        })) {
            for (int step = 0; step < 120; step++) {
                something(sized);
                tickAndCheck(sized);
            }
            while (!out.isEmpty()) {
                giveBack();
            }
        }
    }

    private SizingStep decide(int limit) {
        if (luck.nextInt(40) == 0) {
            throw new IllegalStateException("broken");
        }
        return new SizingStep(luck.nextInt(3) == 0 ? limit : luck.nextInt(16) - 3, List.of());
    }

    private void something(SizedPool sized) throws SQLException {
        switch (luck.nextInt(8)) {
            case 0, 1, 2 -> take(sized);
            case 3, 4 -> giveBack();
            case 5 -> outage(sized);
            case 6 -> fake.total = luck.nextBoolean() ? fake.max : luck.nextInt(fake.max + 1);
            default -> {
                if (luck.nextInt(4) == 0) {
                    sized.pool.mode(MODES.get(luck.nextInt(MODES.size())));
                }
            }
        }
    }

    /** Only where it would not wait: this is the only thread. */
    private void take(SizedPool sized) throws SQLException {
        if (!sized.pool.state().bound() || sized.pool.state().leased() < sized.limit()) {
            out.add(sized.pool.acquiring().acquire());
        }
    }

    private void giveBack() throws SQLException {
        Connection one = out.poll();
        if (one != null) {
            one.close();
            closedByTheTest++;
        }
    }

    private void outage(SizedPool sized) {
        if (luck.nextInt(6) > 0
                || (sized.pool.state().bound() && sized.pool.state().leased() >= sized.limit())) {
            return;
        }
        FakePool.Answer before = fake.answer;
        fake.kind = Kind.CONNECT_FAILED;
        fake.answer = () -> {
            throw new SQLException("refused by the stub", "08001");
        };
        try {
            sized.pool.acquiring().acquire();
        } catch (SQLException expected) {
            refusedNanos = sized.ticker.nanos();
            refused = true;
        } finally {
            fake.answer = before;
            fake.kind = Kind.EXHAUSTED;
        }
    }

    private void tickAndCheck(SizedPool sized) {
        boolean acts = sized.pool.mode() == PoolMode.ADAPT;
        int before = sized.limit();
        int total = fake.total;
        int changes = sized.resized.size();
        sized.tick();
        int after = sized.limit();
        assertThat(sized.resized.size() - changes).as("changes in a tick").isBetween(0, 1);
        if (acts) {
            assertThat(after).as("the limit").isBetween(MIN, 8);
        } else if (sized.pool.mode() == PoolMode.RECOMMEND) {
            assertThat(after).isBetween(4, 8);
        } else {
            assertThat(sized.pool.state().bound()).isFalse();
        }
        boolean fresh = refused
                && sized.ticker.nanos() - refusedNanos < Duration.ofSeconds(5).toNanos();
        if (after > before && acts) {
            assertThat(fresh).as("connects fail").isFalse();
            assertThat(total).as("connections that were there").isGreaterThanOrEqualTo(before);
        }
        assertThat(fake.closed).as("a lease is closed by its holder only").hasValue(closedByTheTest);
    }
}
