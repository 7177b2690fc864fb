// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.pool.AcquisitionOutcome;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The endpoint over HTTP: what it returns, changes and refuses. */
@Timeout(300)
@ExtendWith(SharedPools.class)
class EndpointTest {
    private static RunningPools pools;

    @BeforeAll
    static void start() {
        pools = SharedPools.pools();
    }

    private static Answer list() throws Exception {
        return Answer.get(pools.endpoint());
    }

    private static URI path(String pool) {
        return URI.create(pools.endpoint() + "/" + encoded(pool));
    }

    private static URI query(String pool) {
        return URI.create(pools.endpoint() + "?pool=" + encoded(pool));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static Answer one(String pool) throws Exception {
        Answer answer = Answer.get(query(pool));
        assertThat(answer.status()).isEqualTo(200);
        return answer;
    }

    @Test
    void listsEveryPoolWithItsStateAndItsLimits() throws Exception {
        pools.hold("inventory", 3);
        Answer answer = list();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.type()).contains("json");
        assertThat(answer.all("$.pools[*].name"))
                .containsExactlyInAnyOrder(
                        "orders", "inventory", "ui", "leaky", "broken", "fragile", RunningPools.HOSTILE);
        assertThat(Instant.ofEpochMilli((long) answer.number("$.timeEpochMillis")))
                .isBetween(
                        Instant.now().minus(Duration.ofMinutes(1)),
                        Instant.now().plusSeconds(1));
        assertThat(answer.all("$.pools[?(@.name=='inventory')].state.active")).containsExactly(3);
        assertThat(answer.all("$.pools[?(@.name=='inventory')].limits.limited")).containsExactly(false);
        assertThat(answer.all("$.pools[?(@.name=='inventory')].limits.max")).containsExactly(5);
        assertThat(answer.all("$.pools[?(@.name=='orders')].limits.base")).containsExactly(2);
        assertThat(answer.all("$.pools[?(@.name=='orders')].limits.ceiling")).containsExactly(4);
        assertThat(answer.all("$.pools[?(@.name=='orders')].type")).containsExactly("HikariCP");
    }

    /** The starter brings the module; in the first minute there is no advice yet. */
    @Test
    void theAdviceIsWorkedOutLater() throws Exception {
        Answer answer = one("inventory");
        assertThat(answer.word("$.advice.status")).isEqualTo("early");
        assertThat(answer.word("$.advice.text")).startsWith("No advice yet");
        assertThat(answer.object("$.advice")).containsOnlyKeys("status", "text");
    }

    @Test
    void describesOnePoolInFull() throws Exception {
        for (int call = 0; call < 7; call++) {
            try (Connection connection = pools.pool("inventory").getConnection()) {
                assertThat(connection.isValid(1)).isTrue();
            }
        }
        pools.hold("inventory", 2);
        Answer answer = one("inventory");
        FlexPoolDataSource pool = pools.pool("inventory");
        assertThat(answer.word("$.name")).isEqualTo("inventory");
        assertThat(answer.number("$.state.active")).isEqualTo(2);
        assertThat(answer.number("$.state.total")).isEqualTo(pool.state().pool().total());
        assertThat(answer.word("$.state.description")).contains("active 2").contains("max 5");
        Map<String, Object> acquired = answer.object("$.statistics.total.acquisition.ok");
        assertThat(((Number) acquired.get("count")).longValue())
                .isEqualTo(pool.statistics()
                        .total()
                        .acquisition(AcquisitionOutcome.OK)
                        .count());
        assertThat(acquired).containsKeys("meanMillis", "p50Millis", "p95Millis", "p99Millis", "maxMillis");
        assertThat(((Number) acquired.get("maxMillis")).doubleValue())
                .isGreaterThanOrEqualTo(((Number) acquired.get("p50Millis")).doubleValue())
                .isPositive();
        assertThat(answer.number("$.statistics.total.lease.count")).isGreaterThanOrEqualTo(7);
        assertThat(answer.number("$.statistics.recentWindowSeconds")).isBetween(0.0, 61.0);
        assertThat(answer.all("$.capabilities")).contains("live-resize");
    }

    /** A percentile of no values is not zero. */
    @Test
    void emptyTimersHaveNoPercentiles() throws Exception {
        assertThat(one("ui").object("$.statistics.recent.acquisition.interrupted"))
                .isEqualTo(Map.of("count", 0));
    }

    @Test
    void describesStrategiesInWords() throws Exception {
        assertThat(one("orders").all("$.strategies"))
                .containsExactly("grows to the ceiling when a request has waited 20 ms, and shrinks gradually"
                        + " when the load falls");
        assertThat(one("inventory").all("$.strategies")).isEmpty();
    }

    @Test
    void remembersGrowthAndTimeouts() throws Exception {
        pools.hold("orders", 4);
        assertThatThrownBy(() -> pools.pool("orders").getConnection()).isInstanceOf(SQLException.class);
        Answer answer = one("orders");
        List<Map<String, Object>> grown = answer.objects("$.events[?(@.kind=='resized' && @.cause=='demand')]");
        assertThat(grown).isNotEmpty().allSatisfy(event -> {
            assertThat((Integer) event.get("to")).isGreaterThan((Integer) event.get("from"));
            assertThat((String) event.get("text")).contains("lease limit");
        });
        List<Map<String, Object>> late = answer.objects("$.events[?(@.kind=='timeout')]");
        assertThat(late).isNotEmpty();
        Map<String, Object> last = late.get(late.size() - 1);
        assertThat((String) last.get("text")).contains("no connection after").contains("active 4");
        assertThat(((Number) last.get("longestMillis")).doubleValue()).isGreaterThanOrEqualTo(590);
        assertThat(answer.number("$.statistics.total.counters.timeouts")).isPositive();
        assertThat(answer.objects("$.growthsRefused[?(@.reason=='ceiling')]"))
                .as("the timeout was at the ceiling")
                .singleElement()
                .satisfies(refused -> assertThat(refused)
                        .containsEntry("words", "the ceiling is reached")
                        .containsEntry("key", "flexpool.ceiling")
                        .containsKeys("count", "lastEpochMillis"));
    }

    /** "mode recommend" beside a pool that grows: what does what is named. */
    @Test
    void namesWhatTheControllerDoesAndWhatStrategiesDo() throws Exception {
        assertThat(one("orders").all("$.actors"))
                .hasSize(2)
                .satisfies(actors ->
                        assertThat(actors.get(0)).isEqualTo("the sizing controller reports only (mode" + " recommend)"))
                .satisfies(actors ->
                        assertThat(String.valueOf(actors.get(1))).startsWith("the strategy GrowOnWait grows to"));
    }

    /** Rejections displace the event of the circuit's opening, but its state is still shown. */
    @Test
    void showsTheCircuitWhileItIsOpen() throws Exception {
        FlexPoolDataSource fragile = pools.pool("fragile");
        pools.down(true);
        for (int failure = 0; failure < 2; failure++) {
            assertThatThrownBy(fragile::getConnection).isInstanceOf(SQLException.class);
        }
        for (int turn = 0; turn < 51; turn++) {
            fragile.limits(3, 3);
            fragile.limits(2, 2);
        }
        Answer open = one("fragile");
        assertThat(open.objects("$.events[?(@.kind=='circuit')]")).isEmpty();
        assertThat(open.word("$.circuit.phase")).isEqualTo("open");
        assertThat(open.word("$.circuit.reason")).contains("cannot reach the database");
        pools.down(false);
        pools.untilServed("fragile");
        assertThat(one("fragile").word("$.circuit.phase")).isEqualTo("closed");
        assertThat(one("orders").text()).doesNotContain("\"circuit\"");
    }

    /** An outage must not displace all other events. */
    @Test
    void failuresOfOneSecondAndOneReasonAreOneEvent() throws Exception {
        List<Thread> asking = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            asking.add(new Thread(
                    () -> assertThatThrownBy(() -> pools.pool("broken").getConnection())
                            .isInstanceOf(SQLException.class)));
        }
        asking.forEach(Thread::start);
        for (Thread thread : asking) {
            thread.join();
        }
        Answer answer = one("broken");
        List<Map<String, Object>> failed = answer.objects("$.events[?(@.kind=='connect-failure')]");
        long counted = (long) answer.number("$.statistics.total.counters.connectFailures");
        assertThat(failed.stream()
                        .mapToLong(event -> ((Number) event.get("count")).longValue())
                        .sum())
                .isEqualTo(counted)
                .isGreaterThanOrEqualTo(8);
        assertThat(failed.size()).isLessThan(5);
        assertThat((String) failed.get(0).get("sqlState")).isEqualTo("08001");
    }

    @Test
    void keepsAHundredEventsAndCountsTheOthers() throws Exception {
        FlexPoolDataSource orders = pools.pool("orders");
        for (int turn = 0; turn < 60; turn++) {
            orders.limits(3, 4);
            orders.limits(2, 2);
        }
        Answer answer = one("orders");
        List<Object> numbers = answer.all("$.events[*].number");
        assertThat(numbers)
                .hasSize(100)
                .doesNotHaveDuplicates()
                .isSortedAccordingTo(Comparator.comparingInt(Integer.class::cast));
        assertThat((int) answer.number("$.eventsForgotten"))
                .isEqualTo((Integer) numbers.get(0))
                .isPositive();
    }

    @Test
    void noPasswordIsSeenAnywhere() throws Exception {
        assertThatThrownBy(() -> pools.pool("broken").getConnection()).isInstanceOf(SQLException.class);
        String broken = one("broken").text();
        assertThat(broken).contains("cannot reach").doesNotContain(RunningPools.SECRET);
        assertThat(list().text() + one("orders").text()).doesNotContain(RunningPools.SECRET);
    }

    @Test
    void anUnknownPoolIsNotFound() throws Exception {
        for (Answer answer : List.of(
                Answer.get(path("nobody")), Answer.get(query("nobody")), Answer.post(path("nobody"), "{\"base\":1}"))) {
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.word("$.error")).isEqualTo("no pool 'nobody'");
            assertThat(answer.all("$.pools")).contains("orders", "inventory");
        }
    }

    @Test
    void thePathUiIsThePage() throws Exception {
        Answer page = Answer.get(path("ui"));
        assertThat(page.type()).isEqualToIgnoringCase("text/html;charset=UTF-8");
        assertThat(page.text()).startsWith("<!doctype html>").doesNotContain("{{");
        assertThat(one("ui").word("$.name")).isEqualTo("ui");
        assertThat(Answer.post(path("ui"), "{\"mode\":\"monitor\"}").status()).isEqualTo(200);
    }

    /** As a header, because browsers accept frame-ancestors only there. */
    @Test
    void thePagesPolicyIsAHeader() throws Exception {
        Answer page = Answer.get(path("ui"));
        assertThat(page.policy())
                .startsWith("default-src 'none'; ")
                .contains("script-src 'sha256-", "style-src 'sha256-")
                .endsWith("; frame-ancestors 'none'");
        String inTheDocument = page.policy().replace("; frame-ancestors 'none'", "");
        assertThat(page.text()).contains("content=\"" + inTheDocument + "\"");
        assertThat(Answer.get(path("orders")).policy())
                .as("figures are no page")
                .isEmpty();
    }

    /** The Accept header of a browser's address bar. */
    @Test
    void aBrowserGetsThePageAndTheFiguresAlike() throws Exception {
        String browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8";
        assertThat(Answer.get(path("ui"), browser).type()).startsWith("text/html");
        assertThat(Answer.get(path("orders"), browser).type()).contains("json");
        assertThat(Answer.get(path("orders"), "application/json").status()).isEqualTo(200);
    }

    @Test
    void aNameWithMarkupIsFoundByPathAndByQuery() throws Exception {
        assertThat(one(RunningPools.HOSTILE).word("$.name")).isEqualTo(RunningPools.HOSTILE);
        assertThat(Answer.get(path("hostile")).status()).isEqualTo(404);
    }

    @Test
    void movesTheLimits() throws Exception {
        Answer answer = Answer.post(path("orders"), "{\"base\":3,\"ceiling\":4}");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.truth("$.changed")).isTrue();
        assertThat(answer.number("$.limits.base")).isEqualTo(3);
        assertThat(pools.pool("orders").state().ceiling()).isEqualTo(4);
        assertThat(pools.pool("orders").state().limit()).isEqualTo(3);
        assertThat(Answer.post(path("orders"), "{\"base\":3,\"ceiling\":4}").truth("$.changed"))
                .isFalse();
    }

    @Test
    void movesOneLimitAndLeavesTheOther() throws Exception {
        assertThat(Answer.post(path("orders"), "{\"ceiling\":3}").status()).isEqualTo(200);
        assertThat(pools.pool("orders").state().base()).isEqualTo(2);
        assertThat(pools.pool("orders").state().ceiling()).isEqualTo(3);
        // No sentence still names the configured ceiling.
        assertThat(one("orders").all("$.strategies").toString())
                .contains("grows to the ceiling")
                .doesNotContain("4");
        assertThat(Answer.post(pools.endpoint(), "{\"pool\":\"orders\",\"base\":3}")
                        .status())
                .isEqualTo(200);
        assertThat(pools.pool("orders").state().base()).isEqualTo(3);
        assertThat(pools.pool("orders").state().ceiling()).isEqualTo(3);
    }

    @Test
    void stopsLimitingAndLimitsAgain() throws Exception {
        Answer watched = Answer.post(path("orders"), "{\"mode\":\"monitor\"}");
        assertThat(watched.truth("$.changed")).isTrue();
        assertThat(watched.truth("$.limits.limited")).isFalse();
        assertThat(pools.pool("orders").state().bound()).isFalse();
        assertThat(Answer.post(path("orders"), "{\"mode\":\"monitor\"}").truth("$.changed"))
                .isFalse();
        assertThat(Answer.post(path("orders"), "{\"base\":3}").status()).isEqualTo(409);
        Answer again = Answer.post(path("orders"), "{\"mode\":\"recommend\"}");
        assertThat(again.truth("$.limits.limited")).isTrue();
        assertThat(pools.pool("orders").state().limit()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                           | nothing to change
            {"bsae":3}                   | nothing to change
            {"base":"many"}              | base = many
            {"ceiling":"abc"}            | ceiling = abc: must be a whole number; give mode
            {"base":0}                   | must be from 1 to 10000
            {"base":10001}               | must be from 1 to 10000
            {"base":5}                   | must not be below the base, 5
            {"base":3,"ceiling":2}       | must not be below the base, 3
            {"watchOnly":true}           | watchOnly: for true use mode = monitor
            {"mode":"observe"}           | observe is now recommend
            {"mode":"monitor","base":3}  | more than one change at once
            {"mode":"monitor","action": "pause"} | one request makes one change
            {"action":"stop"}            | action = stop: is unknown; give action = pause
            {"action":"drain"}           | within = none: must be given
            {"action":"drain","within":"soon"} | within = soon: must be a duration
            {"action": "pause","within":"1s"} | within = 1s: must not be given here
            {"action": "pause","reason":"x"} | reason = x: may only be given with action = evict
            {"action":"warm-up","connections":"0","within":"1s"} | connections = 0: must be from 1 to 10000
            {"within":"1s"}              | one request makes one change
            """)
    void refusalsNameWhatIsAllowed(String body, String said) throws Exception {
        Answer answer = Answer.post(path("orders"), body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.word("$.error")).contains(said);
        assertThat(pools.pool("orders").state().base()).isEqualTo(2);
        assertThat(pools.pool("orders").state().ceiling()).isEqualTo(4);
        assertThat(pools.pool("orders").state().bound()).isTrue();
    }

    @Test
    void holdsAndResumesAPoolAndEvictsIt() throws Exception {
        Answer paused = Answer.post(path("orders"), "{\"action\":\"pause\"}");
        assertThat(paused.truth("$.changed")).isTrue();
        assertThat(paused.word("$.phase")).isEqualTo("paused");
        assertThat(Answer.post(path("orders"), "{\"action\":\"pause\"}").truth("$.changed"))
                .isFalse();
        Answer resumed = Answer.post(path("orders"), "{\"action\":\"resume\"}");
        assertThat(resumed.truth("$.result")).isTrue();
        assertThat(resumed.word("$.phase")).isEqualTo("open");
        assertThat(Answer.post(path("orders"), "{\"action\":\"evict\",\"reason\":\"a new password\"}")
                        .truth("$.changed"))
                .isTrue();
        assertThat(one("orders")
                        .all("$.events[?(@.kind == 'lifecycle')].action")
                        .toString())
                .contains("paused")
                .contains("resumed")
                .contains("evicted");
        assertThat(one("orders")
                        .all("$.events[?(@.action == 'evicted')].reason")
                        .toString())
                .contains("a new password");
    }

    @Test
    void warmsAPoolUp() throws Exception {
        Answer warm = Answer.post(
                pools.endpoint(),
                "{\"pool\":\"orders\",\"action\":\"warm-up\",\"connections\":\"2\",\"within\":\"20s\"}");
        assertThat(warm.status()).isEqualTo(200);
        assertThat(warm.number("$.result")).isEqualTo(2);
    }

    @Test
    void aChangeOfNoPoolIsRefused() throws Exception {
        Answer answer = Answer.post(pools.endpoint(), "{\"base\":3}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.word("$.error")).startsWith("pool: must be given");
    }
}
