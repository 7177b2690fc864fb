// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.drain;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * A service as a process of its own: requests that take two leases each, and a thread beside them that Spring does not know,
 * which works with the pool until the pool refuses it. Says on its output where it listens and how that thread ended.
 */
public final class Service {
    static final String PORT = "listens at ";
    static final String WORKER = "the worker ended: ";

    private static final CountDownLatch WORKER_ENDED = new CountDownLatch(1);

    private Service() {}

    /**
     * Starts it.
     *
     * @param arguments Spring's
     */
    public static void main(String[] arguments) {
        SpringApplication.run(Application.class, arguments);
    }

    /** What the service is made of. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        Requests requests(DataSource pool) {
            return new Requests(pool);
        }

        @Bean
        ApplicationListener<ApplicationReadyEvent> ready(DataSource pool) {
            return event -> {
                Thread worker = new Thread(() -> work(pool), "worker");
                worker.setDaemon(true);
                worker.start();
                Runtime.getRuntime().addShutdownHook(new Thread(Application::awaitTheWorker));
                say(PORT + event.getApplicationContext().getEnvironment().getProperty("local.server.port"));
            };
        }

        /** Beside Spring's own hook: what the worker says is not lost with the process. */
        private static void awaitTheWorker() {
            try {
                if (!WORKER_ENDED.await(3, TimeUnit.MINUTES)) {
                    say(WORKER + "not at all");
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        private static void work(DataSource pool) {
            boolean leased = false;
            try {
                while (true) {
                    leased = false;
                    try (Connection connection = pool.getConnection()) {
                        leased = true;
                        pause(Duration.ofMillis(400));
                        query(connection);
                    }
                }
            } catch (SQLException thrown) {
                say(WORKER + (leased ? "its connection broke: " : "refused: ") + states(thrown));
            } finally {
                WORKER_ENDED.countDown();
            }
        }

        private static String states(SQLException thrown) {
            StringBuilder states = new StringBuilder();
            for (Throwable at = thrown; at != null; at = at.getCause()) {
                states.append(at instanceof SQLException sql ? sql.getSQLState() : "-")
                        .append(' ');
            }
            return states + String.valueOf(thrown.getMessage());
        }
    }

    private static void say(String line) {
        System.out.println(line);
    }

    private static void query(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select 1");
        }
    }

    private static void pause(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Answers requests. */
    @RestController
    static class Requests {
        private final DataSource pool;

        Requests(DataSource pool) {
            this.pool = Objects.requireNonNull(pool);
        }

        @GetMapping("/work")
        String work() throws SQLException {
            for (int lease = 0; lease < 2; lease++) {
                try (Connection connection = pool.getConnection()) {
                    pause(Duration.ofMillis(60));
                    query(connection);
                }
            }
            return "done";
        }
    }
}
