// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.OrderService;
import io.flexpool.event.PoolListener.LeaseInspector;
import io.flexpool.internal.jdbc.CountedLease;
import io.flexpool.internal.lease.CallSites.CallSite;
import io.flexpool.internal.pool.TestContext;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is kept of a request during an alert, instead of a search of its stack: its lease has the same name. */
@Timeout(300)
class RequestTraceTest {
    private final CallSites sites = sites();

    private static CallSites sites(String... ignored) {
        return new CallSites(ApplicationCode.of(List.of(), List.of(ignored)), false);
    }

    /** The names that a search and the kept stack give one place. */
    private record Names(
            @Nullable String searched, @Nullable String kept) {
        static Names here(CallSites sites) {
            CallSite kept = Objects.requireNonNull(RequestTrace.here(sites));
            return new Names(CallSites.name(sites.capture()), kept.name());
        }
    }

    /** By a table that has not seen a class yet, so that only the trace finds out where each belongs. */
    private static @Nullable String alone(Supplier<@Nullable CallSite> call) {
        return CallSites.name(OrderService.calling(call));
    }

    @Test
    void theNameIsThatOfTheSearch() {
        Names names = OrderService.calling(() -> Names.here(sites));
        assertThat(names.searched()).startsWith("OrderService.calling(OrderService.java:");
        assertThat(names.kept()).isEqualTo(names.searched());
    }

    @Test
    void classesThatNoSearchHasSeenAreJudgedAlike() {
        assertThat(alone(() -> RequestTrace.here(sites())))
                .isEqualTo(alone(sites()::capture))
                .startsWith("OrderService.calling(");
        CallSites ignoring = sites("io.flexpool.Order");
        assertThat(alone(() -> RequestTrace.here(ignoring)))
                .isEqualTo(alone(sites("io.flexpool.Order")::capture))
                .doesNotContain("OrderService");
    }

    /** A thread of the common pool has none; others have that of a container, which may throw anything once it has stopped. */
    @Test
    void aThreadWhoseLoaderKnowsNoClassIsNamedByFlexpoolsOwn() throws Exception {
        ClassLoader stopped = new ClassLoader(null) {
            @Override
            protected Class<?> findClass(String name) {
                throw new IllegalStateException("stopped");
            }
        };
        for (ClassLoader loader : new ClassLoader[] {null, new ClassLoader(null) {}, stopped}) {
            String[] name = new String[1];
            Thread thread = new Thread(() -> name[0] = alone(() -> RequestTrace.here(sites())));
            thread.setContextClassLoader(loader);
            thread.start();
            thread.join();
            assertThat(name[0]).as("%s", loader).startsWith("OrderService.calling(");
        }
    }

    @Test
    void aDeepStackIsSearchedToItsCallSite() {
        Names names = OrderService.calling(() -> deeper(150));
        assertThat(names.searched()).startsWith("OrderService.calling(");
        assertThat(names.kept()).isEqualTo(names.searched());
    }

    private Names deeper(int frames) {
        return frames == 0 ? Names.here(sites) : deeper(frames - 1);
    }

    /**
     * Of a thousand leases a second of one thread each stack was searched, so that behind the gate requests took up to 1.6 times as
     * much of the processor.
     */
    @Test
    void duringAnAlertEachLeaseHasANameAndFewAreSearched() {
        TestContext part = new TestContext(settings -> {});
        LeaseTracker leases = new LeaseTracker(part.context, 2, new ConcurrentHashMap<>());
        List<CallSite> before =
                IntStream.range(0, 100).mapToObj(at -> leased(part, leases)).toList();
        // The alert lasts until the next tick.
        leases.inspect(new LeaseInspector() {}, true).run();
        List<CallSite> during =
                IntStream.range(0, 100).mapToObj(at -> leased(part, leases)).toList();

        assertThat(before).filteredOn(Objects::nonNull).hasSize(1);
        assertThat(during)
                .allSatisfy(origin -> assertThat(CallSites.name(origin)).startsWith("OrderService.calling("));
        assertThat(during).filteredOn(site -> !(site instanceof RequestTrace)).hasSize(2);
        leases.tick(part.ticker.nanos(), 0, part.context.state());
        assertThat(leased(part, leases)).isNull();
    }

    /** A request that waits keeps its stack before: afterwards that of a virtual thread takes far longer to read. */
    @Test
    void whatWasKeptBeforeAWaitNamesTheLease() {
        TestContext part = new TestContext(settings -> {});
        LeaseTracker leases = new LeaseTracker(part.context, 2, new ConcurrentHashMap<>());
        leased(part, leases);
        assertThat(leases.trace(0)).as("without an alert").isNull();
        leases.inspect(new LeaseInspector() {}, true).run();
        CallSite kept = Objects.requireNonNull(OrderService.calling(() -> leases.trace(0)));
        leases.tick(part.ticker.nanos(), 0, part.context.state());

        for (boolean lent : new boolean[] {true, false}) {
            Slot slot = leases.slots().claim(Thread.currentThread());
            slot.requestedAt(kept);
            if (lent) {
                long now = part.ticker.nanos();
                leases.open(slot, part.fake.connection(), new CountedLease(), now, now, false);
                assertThat(leases.open(now))
                        .singleElement()
                        .satisfies(lease -> assertThat(lease.callSite()).startsWith("OrderService.calling("));
                slot.end(1);
            } else {
                slot.withdraw();
            }
            assertThat(slot.site).isNull();
            slot.vacate();
        }
    }

    /** Where the next lease of this thread was requested; a millisecond passes until its end. */
    private static @Nullable CallSite leased(TestContext part, LeaseTracker leases) {
        return OrderService.calling(() -> {
            long now = part.ticker.nanos();
            Slot slot = leases.slots().claim(Thread.currentThread());
            leases.open(slot, part.fake.connection(), new CountedLease(), now, now, false);
            CallSite site = slot.site;
            part.ticker.advance(Duration.ofMillis(1));
            slot.end(1_000_000);
            assertThat(slot.site).as("kept after the end").isNull();
            slot.vacate();
            return site;
        });
    }
}
