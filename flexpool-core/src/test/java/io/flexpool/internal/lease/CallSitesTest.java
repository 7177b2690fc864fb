// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.OrderService;
import io.flexpool.diagnostics.CallSiteStatistics;
import io.flexpool.internal.lease.CallSites.CallSite;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is a call site, and what is counted of it. This class itself is none: it lies in flexpool's inside. */
@Timeout(300)
class CallSitesTest {
    private final CallSites sites = new CallSites(ApplicationCode.of(List.of(), List.of()), true);

    private CallSite captured() {
        return Objects.requireNonNull(OrderService.calling(sites::capture));
    }

    @Test
    void theFirstFrameOfTheApplicationIsTheCallSite() {
        assertThat(captured().name()).matches("OrderService\\.calling\\(OrderService\\.java:\\d+\\)");
    }

    @Test
    void layersBetweenAreSkippedAlsoThoseThatTheUserNames() {
        CallSites ignoring = new CallSites(ApplicationCode.of(List.of(), List.of("io.flexpool.Order")), false);
        @Nullable CallSite beyond = OrderService.calling(ignoring::capture);
        // The next frame that is neither flexpool's inside nor the JDK's is the test framework's.
        assertThat(beyond).isNotNull();
        assertThat(beyond.name()).doesNotContain("OrderService").doesNotContain("CallSitesTest");
    }

    /** A proxy of a type that is not public lies in the application's package. */
    @Test
    void proxiesAreNoCallSite() throws Exception {
        AtomicReference<@Nullable CallSite> captured = new AtomicReference<>();
        Object proxy = Proxy.newProxyInstance(
                OrderService.class.getClassLoader(),
                new Class<?>[] {OrderService.connectionsType()},
                (self, method, arguments) -> {
                    captured.set(sites.capture());
                    return null;
                });
        assertThat(proxy.getClass().getName()).startsWith("io.flexpool.");
        OrderService.placing(proxy);
        assertThat(Objects.requireNonNull(captured.get()).name()).startsWith("OrderService.place(");
    }

    @Test
    void oneSiteIsOneObject() {
        CallSite[] two = new CallSite[2];
        for (int at = 0; at < two.length; at++) {
            two[at] = captured();
        }
        assertThat(two[0]).isSameAs(two[1]);
    }

    @Test
    void figuresAreThoseOfTheLeasesThatEnded() {
        CallSite site = captured();
        assertThat(sites.statistics()).isEmpty();
        site.ended(1_000, 100_000_000, 8_000_000);
        site.ended(1_000, 100_000_000, 8_000_000);
        site.ended(50_000, 280_000_000, 22_400_000);
        assertThat(sites.statistics()).singleElement().satisfies(one -> {
            assertThat(one.callSite()).isEqualTo(site.name());
            assertThat(one.count()).isEqualTo(3);
            assertThat(one.held()).isEqualTo(Duration.ofMillis(480));
            assertThat((double) one.acquisitionP50().toNanos()).isBetween(900.0, 1_100.0);
            assertThat((double) one.acquisitionP99().toNanos()).isBetween(45_000.0, 55_000.0);
            assertThat((double) one.leaseP50().toNanos()).isBetween(90e6, 110e6);
            assertThat((double) one.leaseP99().toNanos()).isBetween(250e6, 310e6);
            assertThat(one.idleShare()).isBetween(0.9199, 0.9201);
            assertThat(one.describe()).endsWith(": 480 ms held in 3 leases, 92 % outside the database");
        });
    }

    @Test
    void withoutTheOptionTheIdleShareIsUnknown() {
        CallSites untimed = new CallSites(ApplicationCode.of(List.of(), List.of()), false);
        Objects.requireNonNull(OrderService.calling(untimed::capture)).ended(1, 2, 0);
        assertThat(untimed.statistics())
                .singleElement()
                .satisfies(one -> assertThat(one.idleShare()).isNaN());
    }

    @Test
    void theTableIsBoundedAndTheRestIsTogether() {
        List<String> names = new ArrayList<>();
        Set<CallSite> all = new HashSet<>();
        for (int at = 0; at < CallSites.MOST + 44; at++) {
            CallSite site = sites.site("Site.number(Site.java:" + at + ")");
            site.ended(1, 1 + at, 0);
            names.add(site.name());
            all.add(site);
        }
        assertThat(all).hasSize(CallSites.MOST + 44);
        List<CallSiteStatistics> statistics = sites.statistics();
        assertThat(statistics).hasSize(CallSites.MOST + 1);
        assertThat(statistics)
                .filteredOn(one -> one.callSite().equals(CallSiteStatistics.OTHER))
                .singleElement()
                .satisfies(rest -> assertThat(rest.count()).isEqualTo(44));
        assertThat(statistics).isSortedAccordingTo((one, other) -> other.held().compareTo(one.held()));
        // An open lease is still named by its own site.
        assertThat(names).contains("Site.number(Site.java:" + (CallSites.MOST + 43) + ")");
    }

    @Test
    void theFiguresOfASiteLastLongerThanALongOfNanoseconds() {
        CallSite site = captured();
        for (int at = 0; at < 3; at++) {
            site.ended(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE / 2);
            sites.readSums();
        }
        assertThat(sites.statistics()).singleElement().satisfies(one -> {
            assertThat(one.held()).isEqualTo(Duration.ofNanos(Long.MAX_VALUE));
            assertThat(one.idleShare()).isBetween(0.499, 0.501);
        });
    }
}
