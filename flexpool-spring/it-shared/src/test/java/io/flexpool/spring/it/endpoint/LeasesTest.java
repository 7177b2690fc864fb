// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.diagnostics.Explanation;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Leases in the endpoint and the health: holders, call sites, leaks, and why a request got no connection. */
@Timeout(300)
@ExtendWith(SharedPools.class)
class LeasesTest {
    private static RunningPools pools;

    @BeforeAll
    static void start() {
        pools = SharedPools.pools();
    }

    private static Answer one(String pool) throws Exception {
        return Answer.get(URI.create(pools.endpoint() + "/" + pool));
    }

    @Test
    void listsHoldersLongestFirst() throws Exception {
        pools.holdAs("first", "inventory", "select 'password=" + RunningPools.SECRET + "'");
        pools.holdAs(RunningPools.HOSTILE, "inventory", "select 2");
        Answer answer = one("inventory");
        assertThat(answer.number("$.openLeases")).isEqualTo(2);
        List<Map<String, Object>> holders = answer.objects("$.holders[*]");
        assertThat(holders).extracting(one -> one.get("thread")).containsExactly("first", RunningPools.HOSTILE);
        assertThat(holders).allSatisfy(one -> {
            assertThat(one.get("callSite").toString())
                    .startsWith("RunningPools.")
                    .contains("(RunningPools.java:");
            assertThat(one).containsEntry("activity", "idle").containsEntry("leakSuspected", false);
            assertThat(((Number) one.get("idleShare")).doubleValue()).isBetween(0.0, 1.0);
        });
        assertThat(holders.get(1)).containsEntry("statement", "select 2");
        assertThat(answer.text()).doesNotContain(RunningPools.SECRET);
        pools.giveBack();
        Answer after = one("inventory");
        assertThat(after.objects("$.holders[*]")).isEmpty();
        assertThat(after.all("$.callSites[*].callSite"))
                .anySatisfy(site -> assertThat(site.toString()).startsWith("RunningPools."));
    }

    @Test
    void showsTheSignalsForAnAutoscaler() throws Exception {
        pools.hold("inventory", 5);
        Answer full = one("inventory");
        assertThat(full.number("$.state.saturation")).isEqualTo(1.0);
        assertThat(full.number("$.state.activePeak")).isEqualTo(5.0);
        assertThat(full.truth("$.state.scaleOutHelps"))
                .as("no request has failed")
                .isTrue();
        pools.giveBack();
        Answer idle = untilAtLeast(5, "inventory", "$.state.activePeak");
        assertThat(idle.number("$.state.active")).isZero();
        assertThat(idle.number("$.state.activePeak")).isEqualTo(5.0);
        assertThat(idle.number("$.state.saturation")).isZero();
    }

    /** What the requests wait for is in this application: further instances would wait for it, too. */
    @Test
    void showsThatMoreInstancesWouldNotHelp() throws Exception {
        pools.hold("orders", 4);
        pools.untilExplained("orders");
        assertThat(one("orders").truth("$.state.scaleOutHelps")).isFalse();
        Answer waited = untilAtLeast(1, "orders", "$.state.pendingPeak");
        assertThat(waited.number("$.state.pending")).isZero();
    }

    /** The peaks are counted with each tick. */
    private static Answer untilAtLeast(int least, String pool, String path) throws Exception {
        Answer answer = one(pool);
        while (answer.number(path) < least) {
            TimeUnit.MILLISECONDS.sleep(50);
            answer = one(pool);
        }
        return answer;
    }

    @Test
    void listsFiftyHoldersAndTheTotal() throws Exception {
        pools.hold("ui", 55);
        Answer answer = Answer.get(URI.create(pools.endpoint() + "?pool=ui"));
        assertThat(answer.objects("$.holders[*]")).hasSize(50);
        assertThat(answer.number("$.openLeases")).isEqualTo(55);
    }

    @Test
    void explainsTheLastTimeout() throws Exception {
        assertThat(one("leaky").text()).doesNotContain("lastTimeout");
        pools.hold("orders", 4);
        pools.untilExplained("orders");
        Explanation last =
                Objects.requireNonNull(pools.pool("orders").diagnosis().lastExplanation());
        Answer answer = one("orders");
        assertThat(answer.number("$.lastTimeout.number")).isEqualTo((double) last.number());
        assertThat(answer.word("$.lastTimeout.cause"))
                .isEqualTo(last.cause().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        assertThat(answer.all("$.lastTimeout.evidence")).containsExactlyElementsOf(last.evidence());
        assertThat(answer.word("$.lastTimeout.text")).isEqualTo(last.text()).contains("\n  advice   Use the");
        assertThat(answer.word("$.lastTimeout.action")).isEqualTo(last.action());
        assertThat(answer.number("$.lastTimeout.timeEpochMillis")).isPositive();
        assertThat(answer.objects("$.lastTimeout.holders[*]")).hasSize(4);
        assertThat(answer.all("$.lastTimeout.holders[*].otherWork"))
                .containsExactlyElementsOf(last.holders().stream()
                        .map(Explanation.Holder::otherWork)
                        .filter(Objects::nonNull)
                        .map(work -> work.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                        .toList());
        assertThat(answer.all("$.events[?(@.kind=='timeout')].explained"))
                .contains(last.cause().words());
    }

    /** A leak alone is no outage: the pool still serves requests, and a restart would help only for a while. */
    @Test
    void aLeakIsShownWhileTheHealthStaysUp() throws Exception {
        assertThat(one("leaky").number("$.leaks.suspectedNow")).isZero();
        pools.hold("leaky", 1);
        Answer suspected = one("leaky");
        // By its age at once, by the count with the next tick.
        while (suspected.number("$.leaks.suspectedTotal") == 0) {
            TimeUnit.MILLISECONDS.sleep(50);
            suspected = one("leaky");
        }
        assertThat(suspected.number("$.leaks.suspectedNow")).isEqualTo(1);
        assertThat(suspected.all("$.leaks.holders[*].callSite").toString()).contains("RunningPools.hold(");
        while (one("leaky").objects("$.events[?(@.kind=='leak-suspected')]").isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        String health = "$.components.flexpool.details.leaky.";
        Answer sick = Answer.get(pools.endpoint().resolve("health"));
        assertThat(sick.word(health + "status")).isEqualTo("UP");
        assertThat(sick.number(health + "suspectedLeaks")).isEqualTo(1);
        assertThat(sick.number(health + "oldestLeakMillis")).isGreaterThanOrEqualTo(200);
        assertThat(sick.word(health + "oldestLeakCallSite")).startsWith("RunningPools.hold(");
        pools.giveBack();
        Answer well = one("leaky");
        assertThat(well.number("$.leaks.suspectedNow")).isZero();
        assertThat(well.objects("$.events[?(@.kind=='leak-resolved')]")).hasSize(1);
        assertThat(Answer.get(pools.endpoint().resolve("health")).text()).doesNotContain("suspectedLeaks");
    }
}
