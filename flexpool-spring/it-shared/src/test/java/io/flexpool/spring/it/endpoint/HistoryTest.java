// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.advice.PoolHistory;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The last hour of a pool, over HTTP. */
@Timeout(300)
@ExtendWith(SharedPools.class)
class HistoryTest {
    private static RunningPools pools;

    @BeforeAll
    static void start() {
        pools = SharedPools.pools();
    }

    private static Answer history(String pool, String since) throws Exception {
        return Answer.get(URI.create(pools.endpoint() + "?pool=" + pool + "&history=" + since));
    }

    private static List<Map<String, Object>> parts(Answer answer) {
        assertThat(answer.status()).isEqualTo(200);
        return answer.objects("$.history.parts[*]");
    }

    /** The sum of a figure over the last hour; intervals without a sample are null, and figures that are all 0 are left out. */
    private static long sum(Answer answer, String figure) {
        return parts(answer).stream()
                .flatMap(part -> ((List<?>) part.getOrDefault(figure, List.of())).stream())
                .filter(Objects::nonNull)
                .mapToLong(value -> ((Number) value).longValue())
                .sum();
    }

    @Test
    void anIncidentIsThereAfterItHasEnded() throws Exception {
        Answer before = history("orders", "0");
        pools.hold("orders", 4);
        assertThatThrownBy(() -> pools.pool("orders").getConnection()).isInstanceOf(SQLException.class);
        pools.giveBack();
        Answer answer = history("orders", "0");
        assertThat(sum(answer, "timeout") - sum(before, "timeout")).isEqualTo(1);
        assertThat(sum(answer, "ok") - sum(before, "ok")).isEqualTo(4);
        assertThat(answer.all("$.history.parts[*].active[*]")).contains(4);
        assertThat(answer.all("$.history.parts[*].pending[*]")).contains(1);
        assertThat(answer.all("$.history.parts[*].limit[*]")).contains(4);
        Instant wrapped = Instant.ofEpochMilli((long) answer.number("$.history.startEpochMillis"));
        assertThat(wrapped).isBefore(Instant.now()).isAfter(Instant.now().minus(Duration.ofHours(1)));
    }

    @Test
    void aPoolWithoutALimitHasNone() throws Exception {
        pools.hold("inventory", 3);
        Answer answer = history("inventory", "0");
        while (!answer.all("$.history.parts[*].active[*]").contains(3)) {
            TimeUnit.MILLISECONDS.sleep(50);
            answer = history("inventory", "0");
        }
        assertThat(answer.all("$.history.parts[*].limit")).isEmpty();
        assertThat(answer.all("$.history.parts[*].max[*]")).contains(5);
        assertThat(answer.all("$.history.parts[*].idle[*]")).contains(2);
    }

    @Test
    void onlyTheSecondsThatAreAskedForAreReturned() throws Exception {
        FlexPoolDataSource ui = pools.pool("ui");
        long lived = 0;
        while (lived < 3) {
            TimeUnit.MILLISECONDS.sleep(50);
            lived = ui.view(PoolHistory.class).orElseThrow().lived().toSeconds();
        }
        Answer answer = history("ui", Long.toString(lived - 1));
        assertThat(parts(answer)).singleElement().satisfies(part -> {
            assertThat(part.get("seconds")).isEqualTo(1);
            assertThat(((List<?>) part.get("active")).size()).isBetween(1, 20);
        });
        assertThat(answer.number("$.history.parts[0].firstSecond")).isGreaterThanOrEqualTo(lived - 1.0);
        assertThat(parts(history("ui", "9999999999"))).isEmpty();
    }

    @Test
    void isNotReturnedUnlessItIsAskedFor() throws Exception {
        assertThat(Answer.get(URI.create(pools.endpoint() + "/orders")).text()).doesNotContain("\"history\"");
    }

    @Test
    void aRefusalNamesWhatIsAllowed() throws Exception {
        for (String wrong : List.of("yesterday", "-1", "1.5", "10000000000")) {
            Answer answer = history("orders", wrong);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.word("$.error")).isEqualTo("history = " + wrong + ": must be from 0 to 9999999999");
        }
    }
}
