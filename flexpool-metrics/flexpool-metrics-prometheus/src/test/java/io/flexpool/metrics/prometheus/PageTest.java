// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** The code of the Prometheus client in the page of backends: copied here and run, on another port. */
class PageTest {
    private static final Path PAGE = Path.of("..", "..", "docs", "reference", "backends.md");
    private static final Path HERE =
            Path.of("src", "test", "java", "io", "flexpool", "metrics", "prometheus", "PageTest.java");
    private static final Pattern CODE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final int ANY_PORT = 0;

    private final JdbcDataSource pool = new JdbcDataSource();

    @Test
    void theCodeRuns() throws IOException, SQLException {
        pool.setURL("jdbc:h2:mem:prometheus-page");
        PrometheusRegistry registry = new PrometheusRegistry();
        FlexPoolDataSource orders = FlexPool.wrap(pool)
                .name("orders")
                .metrics(PrometheusMetrics.into(registry))
                .build();
        HTTPServer server =
                HTTPServer.builder().port(ANY_PORT).registry(registry).buildAndStart();
        orders.getConnection().close();
        assertThat(Scrape.http(registry, Scrape.TEXT)).contains("pool=\"orders\"");
        server.close();
        orders.close();
    }

    @Test
    void theCodeOfThePageIsThisCode() throws IOException {
        Matcher page = CODE.matcher(Files.readString(PAGE).split("\n## Prometheus client\n", -1)[1]);
        assertThat(page.find()).isTrue();
        String code = page.group(1);
        assertThat(code).contains("port(9400)");
        assertThat(normal(Files.readString(HERE))).contains(normal(code.replace("9400", "ANY_PORT")));
    }

    private static String normal(String code) {
        return code.replaceAll("\\s+", "");
    }
}
