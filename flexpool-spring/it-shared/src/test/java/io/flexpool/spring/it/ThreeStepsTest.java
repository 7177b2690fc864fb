// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.boot;
import static io.flexpool.spring.it.Contexts.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.monitoring.PoolMetric;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The keys of docs/tutorial/spring-boot.md that let the pool grow, as they stand there: with Spring Boot's own defaults the pool grows. */
@Timeout(300)
class ThreeStepsTest {
    private static final int CLIENTS = 60;
    private static final int EACH = 15;
    private static final long HELD_NANOS = Duration.ofMillis(40).toNanos();

    private static String[] keysToGrow() throws IOException {
        String document = Files.readString(Path.of("../../docs/tutorial/spring-boot.md"));
        String block = document.split("```properties\n", -1)[3];
        return block.substring(0, block.indexOf("```")).strip().split("\\R");
    }

    @Test
    void theKeysGrowThePool() throws IOException {
        String[] properties = keysToGrow();
        assertThat(properties).contains("flexpool.grow-on-wait.enabled=true").hasSize(3);
        boot().withPropertyValues(properties).run(context -> {
            FlexPoolDataSource orders = pool(context, "dataSource");
            assertThat(orders.state().base()).isEqualTo(5);
            run(context.getBean(DataSource.class));
            assertThat(orders.statistics().total().counter(PoolMetric.GROWTHS))
                    .as("growths")
                    .isPositive();
        });
    }

    private static void run(DataSource orders) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                all.add(clients.submit(() -> {
                    for (int at = 0; at < EACH; at++) {
                        try (Connection connection = orders.getConnection()) {
                            assertThat(connection.isClosed()).isFalse();
                            LockSupport.parkNanos(HELD_NANOS);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            clients.shutdownNow();
        }
    }
}
