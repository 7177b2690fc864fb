// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.pool.PoolState;
import io.flexpool.spring.FlexPools;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/** Starts a database and the application on it, prints the URLs, and runs until it is stopped. */
public final class Demo {
    private static final Logger STORY = LoggerFactory.getLogger("demo");
    private static final int USUAL_PORT = 8080;

    private Demo() {}

    /**
     * Runs the demo.
     *
     * @param args Spring Boot's, for example {@code --server.port=9090}
     */
    public static void main(String[] args) {
        STORY.info("flexpool demo: an application on Spring Boot, JPA and HikariCP, and flexpool's starter.");
        STORY.info("Starting a database ...");
        DemoDatabase database = DemoDatabase.start();
        STORY.info("{}", database.description());
        STORY.info("Starting the application ...");
        try {
            SpringApplication application = new SpringApplication(OrdersApplication.class);
            Map<String, Object> settings = new HashMap<>(database.properties());
            // A default only: a configured port is used, or reported as taken.
            settings.put("server.port", freePort());
            application.setDefaultProperties(settings);
            ConfigurableApplicationContext context = application.run(args);
            SpringApplication.getShutdownHandlers().add(database.stop());
            tellWhereToLook(context);
        } catch (RuntimeException | Error notStarted) {
            // Spring Boot has said why.
            database.stop().run();
            throw notStarted;
        }
    }

    /** The usual one, or, if it is in use, 0, which stands for any other. */
    private static int freePort() {
        try (ServerSocket usual = new ServerSocket(USUAL_PORT, 1, InetAddress.getLoopbackAddress())) {
            return usual.getLocalPort();
        } catch (IOException taken) {
            STORY.info("Port {} is in use; the demo uses a free port (set another with --server.port).", USUAL_PORT);
            return 0;
        }
    }

    private static void tellWhereToLook(ConfigurableApplicationContext context) {
        Environment settings = context.getEnvironment();
        String at = "http://127.0.0.1:" + settings.getRequiredProperty("local.server.port");
        FlexPoolDataSource pool =
                context.getBean(FlexPools.class).byName().values().iterator().next();
        PoolState state = pool.state();
        STORY.info("");
        STORY.info("It runs. The pool '{}': {}.", pool.name(), state.describe());
        STORY.info("");
        STORY.info("  Look at    {}/actuator/flexpool/ui", at);
        STORY.info("             {}/actuator/flexpool", at);
        STORY.info("             {}/actuator/prometheus", at);
        STORY.info("             {}/actuator/health", at);
        STORY.info("");
        STORY.info("  Load it    curl -X POST '{}/load?orders=30'", at);
        STORY.info(
                "             30 orders at once; each holds a connection for {}, and gives up after {} ms without one",
                settings.getRequiredProperty("orders.payment-answers-after"),
                settings.getRequiredProperty("spring.datasource.hikari.connection-timeout"));
        STORY.info("");
        STORY.info("  Block it   curl -X POST '{}/load?orders=30&from-stock=true'", at);
        STORY.info(
                "             the same of one article, whose row is locked while its payment takes its time: the page");
        STORY.info("             says which payment the others wait for in the database");
        STORY.info("");
        STORY.info("  Compare    curl -X POST -H 'Content-Type: application/json' \\");
        STORY.info(
                "                  -d '{}' {}/actuator/flexpool/{}",
                limits(state.base(), state.base()),
                at,
                pool.name());
        STORY.info(
                "             no growth any more: load it again. Then the same with '{}'",
                limits(state.base(), state.ceiling()));
        STORY.info("");
        STORY.info("  Stop       Ctrl-C");
        STORY.info("");
    }

    private static String limits(int base, int ceiling) {
        return "{\"base\": " + base + ", \"ceiling\": " + ceiling + "}";
    }
}
