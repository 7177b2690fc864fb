// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.Eventually;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.diagnostics.Decision;
import io.flexpool.fleet.FleetStatus;
import io.flexpool.fleet.FleetStatus.Source;
import io.flexpool.internal.pool.FakePool;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pools of one JVM that share a number. */
class FleetInPoolTest {
    private static final AtomicInteger FLEETS = new AtomicInteger();
    private static final int MANY = 8;

    private final String fleet = "fleet-" + FLEETS.incrementAndGet();
    private final List<SizedPool> pools = new ArrayList<>();

    private SizedPool pool(Consumer<Map<String, String>> more) {
        FakePool fake = new FakePool();
        SizedPool sized = new SizedPool(fake, said(said -> {
            said.put("base", "6");
            said.put("ceiling", "12");
            said.put("fleet", "local");
            said.put("fleet.name", fleet);
            said.put("fleet.max", "10");
            said.put("fleet.instances-max", "2");
            said.put("acquisition-timeout", "50ms");
            more.accept(said);
        }));
        fake.total = 1;
        pools.add(sized);
        return sized;
    }

    private SizedPool pool() {
        return pool(said -> {});
    }

    @AfterEach
    void close() throws Exception {
        for (SizedPool each : pools) {
            each.close();
        }
    }

    private static Map<String, String> said(Consumer<Map<String, String>> more) {
        Map<String, String> said = new HashMap<>();
        more.accept(said);
        return said;
    }

    private static FleetStatus status(SizedPool sized) {
        return sized.status();
    }

    /** The store answers on another thread. */
    private static void until(SizedPool sized, BooleanSupplier reached) {
        Eventually.eventually(() -> {
            sized.tick();
            return reached.getAsBoolean();
        });
    }

    @Test
    void aPoolBeginsWithOneConnectionAndFollowsItsGrantUpToItsBase() throws Exception {
        SizedPool sized = pool();
        assertThat(sized.limit()).isEqualTo(1);
        assertThat(status(sized).source()).isEqualTo(Source.BOOT);
        List<Connection> out = new ArrayList<>();
        until(sized, () -> {
            sized.fake.total = Math.max(1, sized.limit());
            while (out.size() < sized.limit()) {
                try {
                    out.add(sized.pool.acquiring().acquire());
                } catch (Exception full) {
                    throw new AssertionError(full);
                }
            }
            return sized.limit() == 6;
        });
        assertThat(status(sized).source()).isEqualTo(Source.GRANT);
        assertThat(sized.pool.report())
                .contains("Fleet '" + fleet + "': may open ", status(sized).member());
        assertThat(sized.resized).allMatch(event -> event.causeWord().equals("fleet"));
        assertThat(sized.pool.diagnosis().decisions())
                .isNotEmpty()
                .allMatch(decision -> decision.causeWord().equals("fleet"))
                .last()
                .extracting(Decision::explanation)
                .asString()
                .contains("the fleet '" + fleet + "' allows");
        for (Connection each : out) {
            each.close();
        }
    }

    private static void patient(Map<String, String> said) {
        said.put("acquisition-timeout", "1m");
    }

    /** More than a pool can serve: the others wait. */
    private static void requests(SizedPool from, List<Connection> out) {
        for (int at = 0; at < MANY; at++) {
            Thread request = new Thread(() -> {
                try {
                    out.add(from.pool.acquiring().acquire());
                } catch (SQLException closed) {
                    // At the end of the test; what matters is the connections that came.
                }
            });
            request.setDaemon(true);
            request.start();
        }
    }

    /** Regression: the advice was "flexpool the fleet grows the pool when …". */
    @Test
    void theAdviceAtTheCapIsASentence() throws Exception {
        SizedPool sized = pool();
        for (int at = 0; at < 30; at++) {
            try (Connection lease = sized.pool.acquiring().acquire()) {
                sized.ticker.advance(Duration.ofMillis(60));
                lease.isClosed();
            }
        }
        List<Connection> out = new CopyOnWriteArrayList<>();
        requests(sized, out);
        Eventually.eventually(() -> sized.pool.state().pending() == MANY - 1);
        sized.ticker.advance(Duration.ofMillis(60));
        Eventually.eventually(() -> sized.pool.diagnosis().lastExplanation() != null);
        assertThat(Objects.requireNonNull(sized.pool.diagnosis().lastExplanation())
                        .action())
                .endsWith(
                        "flexpool raises the limit when other members return connections; if the database has capacity,"
                                + " raise flexpool.fleet.max.");
    }

    @Test
    void twoPoolsOfOneNameAreTwoMembersThatTogetherStayBelowTheNumber() throws Exception {
        SizedPool first = pool(FleetInPoolTest::patient);
        SizedPool second = pool(FleetInPoolTest::patient);
        List<Connection> out = new CopyOnWriteArrayList<>();
        requests(first, out);
        requests(second, out);
        until(first, () -> {
            second.tick();
            for (SizedPool each : List.of(first, second)) {
                each.fake.total = Math.max(1, each.limit());
            }
            assertThat(first.limit() + second.limit()).isLessThanOrEqualTo(9);
            return first.limit() >= 4 && second.limit() >= 4;
        });
        assertThat(status(first).member()).isNotEqualTo(status(second).member());
        assertThat(status(first).members()).isEqualTo(2);
        for (Connection each : out) {
            each.close();
        }
    }

    /** Of seven: two are needed here and six there, so five are left, and none to spare. */
    @Test
    void whatOnePoolMightNeedSoonTakesNothingFromWhatAnotherNeedsNow() throws Exception {
        SizedPool few = pool(said -> said.put("fleet.max", "8"));
        SizedPool many = pool(said -> {
            said.put("fleet.max", "8");
            patient(said);
        });
        List<Connection> out = new CopyOnWriteArrayList<>();
        requests(many, out);
        until(few, () -> {
            many.tick();
            for (SizedPool each : List.of(few, many)) {
                each.fake.total = Math.max(1, each.limit());
            }
            while (few.pool.state().leased() < Math.min(2, few.limit())) {
                try {
                    out.add(few.pool.acquiring().acquire());
                } catch (Exception full) {
                    throw new AssertionError(full);
                }
            }
            return few.pool.state().leased() == 2;
        });
        until(few, () -> {
            many.tick();
            many.fake.total = Math.max(1, many.limit());
            return status(few).wanted() == 2 && status(many).granted() == 5;
        });
        assertThat(status(few).granted()).isEqualTo(2);
    }

    @Test
    void aPoolThatIsClosedLeavesAtOnce() {
        SizedPool first = pool();
        SizedPool second = pool();
        until(first, () -> {
            second.tick();
            return status(first).members() == 2;
        });
        second.pool.close();
        until(first, () -> status(first).members() == 1);
    }

    @Test
    void aPoolThatDoesNotCloseConnectionsIsCountedWithItsCeiling() {
        FakePool fake = new FakePool();
        fake.cannot(Capability.PHYSICAL_FOLLOWS_LIMIT);
        SizedPool sized = new SizedPool(fake, said(said -> {
            said.put("base", "3");
            said.put("ceiling", "8");
            said.put("fleet", "local");
            said.put("fleet.name", fleet);
            said.put("fleet.max", "10");
            said.put("fleet.instances-max", "2");
        }));
        pools.add(sized);
        until(sized, () -> status(sized).granted() == 8);
        assertThat(status(sized).held()).isEqualTo(8);
    }

    @Test
    void whatIsMissingOrContradictsIsRefusedByName() {
        assertThatThrownBy(() -> refused(said -> said.put("fleet", "local")))
                .hasMessageContaining("fleet.max = none: must be given with fleet")
                .hasMessageContaining("fleet.instances-max = none");
        for (String max : List.of("\u0661\u0660", "0xA", "ten")) {
            assertThatThrownBy(() -> refused(said -> {
                        said.put("fleet", "local");
                        said.put("fleet.max", max);
                        said.put("fleet.instances-max", "2");
                    }))
                    .hasMessageContaining("fleet.max = " + max + ": must be ");
        }
        assertThatThrownBy(() -> refused(said -> {
                    said.put("fleet", "redis");
                    said.put("fleet.max", "10");
                    said.put("fleet.instances-max", "2");
                    said.put("fleet.name", " ");
                    said.put("sizing.instances", "3");
                }))
                .hasMessageContaining("needs the module flexpool-fleet-redis")
                .hasMessageContaining("fleet.name")
                .hasMessageContaining("cannot be combined with fleet");
    }

    @Test
    void aUriWithoutAStoreIsRefusedAndNotShown() {
        assertThatThrownBy(() -> refused(said -> {
                    said.put("fleet", "local");
                    said.put("fleet.max", "10");
                    said.put("fleet.instances-max", "2");
                    said.put("fleet.uri", "redis://:hunter2@host:6379");
                }))
                .hasMessageContaining("flexpool.fleet.uri = redis://***@host:6379: must be left out with fleet = local")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void aFleetInRedisMustHaveAName() {
        assertThatThrownBy(() -> refused(said -> {
                    said.put("fleet", "redis");
                    said.put("fleet.max", "10");
                    said.put("fleet.instances-max", "2");
                }))
                .hasMessageContaining("fleet.name = none: must be given with fleet = redis");
    }

    private static void refused(Consumer<Map<String, String>> more) {
        new SizedPool(new FakePool(), said(settings -> {
                    settings.put("mode", "recommend");
                    more.accept(settings);
                }))
                .close();
    }
}
