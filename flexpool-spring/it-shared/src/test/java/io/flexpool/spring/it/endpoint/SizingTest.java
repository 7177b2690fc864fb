// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.diagnostics.Decision;
import io.flexpool.pool.PoolMode;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the endpoint shows of the sizing controller, and how its mode is switched. */
@Timeout(300)
@ExtendWith(SharedPools.class)
class SizingTest {
    private static RunningPools pools;

    @BeforeAll
    static void start() {
        pools = SharedPools.pools();
    }

    private static URI path(String pool) {
        return URI.create(pools.endpoint() + "/" + pool);
    }

    private static Answer one(String pool) throws Exception {
        return Answer.get(path(pool));
    }

    @Test
    void everyPoolRecommendsByDefault() throws Exception {
        assertThat(Answer.get(pools.endpoint()).all("$.pools[*].mode"))
                .hasSizeGreaterThan(6)
                .containsOnly("recommend");
        Answer inventory = one("inventory");
        assertThat(inventory.word("$.mode")).isEqualTo("recommend");
        assertThat(inventory.all("$.decisions")).isEmpty();
        assertThat(inventory.number("$.decisionsLeftOut")).isZero();
    }

    @Test
    void adaptExplainsItsStepsAndReturnsToTheBase() throws Exception {
        Answer acts = Answer.post(path("orders"), "{\"mode\":\"adapt\"}");
        assertThat(acts.status()).isEqualTo(200);
        assertThat(acts.truth("$.changed")).isTrue();
        assertThat(acts.word("$.mode")).isEqualTo("adapt");
        assertThat(Answer.post(path("orders"), "{\"mode\":\"ADAPT\"}").truth("$.changed"))
                .isFalse();
        Decision step;
        Answer answer;
        try (Load load = pools.load("orders")) {
            assertThat(load).isNotNull();
            step = pools.untilGrown("orders");
            answer = one("orders");
        }
        assertThat(answer.number("$.limits.limit")).isBetween(3.0, 4.0);
        assertShown(step, answer);
        assertThat(answer.objects("$.events[?(@.kind=='sizing-decided' && @.decision==" + step.number() + ")]"))
                .isNotEmpty()
                .first()
                .satisfies(event -> assertThat(event)
                        .containsEntry("cause", step.causeWord())
                        .containsEntry("verdict", "pending")
                        .containsEntry("text", "orders: " + step.explanation())
                        .containsKey("state"));

        Answer observes = Answer.post(path("orders"), "{\"mode\":\"recommend\"}");
        assertThat(observes.truth("$.changed")).isTrue();
        assertThat(observes.number("$.limits.limit")).isEqualTo(2);
        HikariDataSource hikari = pools.pool("orders").unwrap(HikariDataSource.class);
        assertThat(hikari.getMaximumPoolSize()).as("the base is back").isEqualTo(2);
        assertCounted();
    }

    private static void assertShown(Decision step, Answer answer) {
        List<Map<String, Object>> decisions = answer.objects("$.decisions[?(@.number==" + step.number() + ")]");
        Map<String, Object> first = decisions.get(0);
        assertThat(first)
                .containsEntry("from", step.from())
                .containsEntry("to", step.to())
                .containsEntry("tried", step.tried())
                .containsEntry("cause", step.causeWord())
                .containsEntry("verdict", "pending")
                .containsEntry("outcome", "done")
                .containsEntry("mode", "adapt")
                .containsEntry("text", step.explanation())
                .containsEntry("timeEpochMillis", step.time().toEpochMilli());
        Map<?, ?> inputs = (Map<?, ?>) first.get("inputs");
        assertThat(((Number) inputs.get("arrivalsPerSecond")).doubleValue()).isPositive();
        // About 20 ms, shown in milliseconds; longer on a busy machine.
        assertThat(((Number) inputs.get("leaseMillis")).doubleValue()).isBetween(15.0, 10_000.0);
    }

    /** Returns the last decisions, as many as requested. */
    private static void assertCounted() throws Exception {
        int all = pools.pool("orders").diagnosis().decisions().size();
        Answer none = Answer.get(URI.create(path("orders") + "?decisions=0"));
        assertThat(none.all("$.decisions")).isEmpty();
        assertThat(none.number("$.decisionsLeftOut")).isEqualTo(all);
        Answer last = Answer.get(URI.create(pools.endpoint() + "?pool=orders&decisions=1"));
        Decision newest = pools.pool("orders").diagnosis().decisions().get(all - 1);
        assertThat(last.all("$.decisions[*].text")).containsExactly(newest.explanation());
        Answer every = Answer.get(URI.create(path("orders") + "?decisions=1000"));
        assertThat(every.all("$.decisions")).hasSize(all);
    }

    @Test
    void monitorDoesNotLimit() throws Exception {
        Answer monitored = Answer.post(pools.endpoint(), "{\"pool\":\"orders\",\"mode\":\"monitor\"}");
        assertThat(monitored.word("$.mode")).isEqualTo("monitor");
        assertThat(monitored.truth("$.limits.limited")).isFalse();
        Answer before = Answer.post(path("orders"), "{\"mode\":\"recommend\"}");
        assertThat(before.word("$.mode")).isEqualTo("recommend");
        assertThat(before.number("$.limits.limit")).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            orders    | {"mode":"perhaps"}        | mode = perhaps: must be monitor, recommend or adapt
            orders    | {"mode":"adapt","base":3}   | more than one change at once
            orders    | {"mode":"act"}            | mode = act: must be monitor, recommend or adapt; act is now adapt
            inventory | {"mode":"adapt"}            | inventory: mode = adapt needs a ceiling
            """)
    void anInvalidModeIsRefused(String pool, String body, String said) throws Exception {
        Answer answer = Answer.post(path(pool), body);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.word("$.error")).contains(said);
        assertThat(pools.pool(pool).mode()).isEqualTo(PoolMode.RECOMMEND);
    }

    @ParameterizedTest
    @CsvSource({"many", "-1", "100000"})
    void anInvalidNumberOfDecisionsIsRefused(String asked) throws Exception {
        Answer answer = Answer.get(URI.create(path("orders") + "?decisions=" + asked));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.word("$.error")).isEqualTo("decisions = " + asked + ": must be from 0 to 99999");
    }
}
