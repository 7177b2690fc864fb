// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static io.flexpool.advisor.Traces.MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.advisor.LeaseTrace.Ending;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CensoredTest {
    private final LeaseTrace.Builder trace = LeaseTrace.builder();

    private void add(String site, long leaseMs, Ending how, int times) {
        for (int at = 0; at < times; at++) {
            trace.add(trace.size() * MS, 0, leaseMs * MS, how, site, 0);
        }
    }

    private List<Long> completed(String site) {
        LeaseTrace recorded = trace.build();
        LeaseTrace whole = Censored.completed(recorded);
        return IntStream.range(0, recorded.size)
                .filter(at -> recorded.ending(at) == Ending.TIMED_OUT)
                .filter(at -> recorded.sites().get(recorded.site[at]).equals(site))
                .mapToObj(at -> whole.lease[at] / MS)
                .toList();
    }

    @Test
    void aRequestThatTimedOutGetsALeaseOfItsCallSite() {
        add("short", 10, Ending.RELEASED, 100);
        add("long", 900, Ending.RELEASED, 100);
        add("short", 0, Ending.TIMED_OUT, 50);
        add("long", 0, Ending.TIMED_OUT, 50);
        assertThat(completed("short")).hasSize(50).containsOnly(10L);
        assertThat(completed("long")).hasSize(50).containsOnly(900L);
    }

    @Test
    void ofACallSiteWithFewLeasesItGetsOneOfAll() {
        add("seldom", 7, Ending.RELEASED, 5);
        add("often", 30, Ending.RELEASED, 500);
        add("seldom", 0, Ending.TIMED_OUT, 50);
        assertThat(completed("seldom")).contains(30L);
    }

    @Test
    void whereNothingWasServedNothingIsKnown() {
        add("never", 0, Ending.TIMED_OUT, 3);
        assertThat(completed("never")).containsExactly(0L, 0L, 0L);
    }

    @Test
    void whatIsGivenForOneThatTimedOutIsNotRead() {
        add("late", 99, Ending.TIMED_OUT, 1);
        assertThat(trace.build().leaseNanos(0)).isZero();
    }
}
