// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.tracing.Tracer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The code of Micrometer in the page of backends: copied here word for word, and run. */
class PageTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "reference", "backends.md");
    private static final Path HERE =
            Path.of("src", "test", "java", "io", "flexpool", "metrics", "micrometer", "PageTest.java");
    private static final Pattern CODE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

    private final JdbcDataSource pool = new JdbcDataSource();
    private final Tracer tracer = Tracer.NOOP;
    private final MeterRegistry otherRegistry = new SimpleMeterRegistry();

    @BeforeEach
    void nameTheDatabase() {
        pool.setURL("jdbc:h2:mem:micrometer-page");
    }

    @Test
    void thePoolIsShown() throws SQLException {
        MeterRegistry registry = new SimpleMeterRegistry();
        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .metrics(MicrometerMetrics.into(registry))
                .build();
        use(orders);
        assertThat(registry.get("db.client.connection.use_time").functionTimers())
                .hasSize(1);
        orders.close();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void withHistogramTheTimersAreReal() throws SQLException {
        FlexPoolDataSource invoices = FlexPool.wrap(pool)
                .name("invoices")
                .metrics(MicrometerMetrics.into(otherRegistry).histogram())
                .build();
        use(invoices);
        assertThat(otherRegistry.get("db.client.connection.use_time").timer().count())
                .isEqualTo(1);
        invoices.close();
    }

    @Test
    void thePoolIsTraced() throws SQLException {
        FlexPoolDataSource traced = FlexPool.wrap(pool)
                .name("traced")
                .metrics(MicrometerTracing.with(tracer, Duration.ofMillis(20)))
                .build();
        use(traced);
        traced.close();
    }

    private static void use(FlexPoolDataSource wrapped) throws SQLException {
        wrapped.getConnection().close();
        assertThat(wrapped.statistics().total().leases().count()).isEqualTo(1);
    }

    @Test
    void theCodeOfThePageIsThisCode() throws IOException {
        List<String> blocks = CODE.matcher(
                        Files.readString(PAGE).split("\n## Micrometer\n", -1)[1].split("\n## ", -1)[0])
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(blocks).hasSize(1);
        String here = unindented(Files.readString(HERE));
        for (String block : blocks) {
            assertThat(here).contains(unindented(block));
        }
    }

    private static String unindented(String code) {
        return code.replaceAll("\\s+", "");
    }
}
