// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.diagnostics.OpenLease.OtherWork;
import io.flexpool.spring.FlexPools;
import jakarta.persistence.EntityManager;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * A web application with JPA as Spring Boot configures it: a transaction has ended, its connection is held until the view is
 * rendered, and meanwhile the controller calls another service.
 */
@Timeout(300)
class OpenInViewTest {
    @Service
    static class Items {
        private final EntityManager entities;

        Items(EntityManager entities) {
            this.entities = entities;
        }

        @Transactional(readOnly = true)
        public long count() {
            return entities.createQuery("select count(i) from Item i", Long.class)
                    .getSingleResult();
        }
    }

    @RestController
    static class Orders {
        private final CountDownLatch called = new CountDownLatch(1);
        private final CountDownLatch answers = new CountDownLatch(1);
        private final Items items;
        private final Environment environment;

        Orders(Items items, Environment environment) {
            this.items = items;
            this.environment = environment;
        }

        @GetMapping("/order")
        String order() throws IOException, InterruptedException {
            return items.count() + " " + get(environment, "/payment");
        }

        /** The other service, which takes its time. */
        @GetMapping("/payment")
        String payment() throws InterruptedException {
            called.countDown();
            answers.await();
            return "paid";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Orders.class, Items.class})
    static class Application {}

    private static ConfigurableApplicationContext start(String... properties) {
        return new SpringApplicationBuilder(Application.class)
                .properties(
                        "server.port=0",
                        "spring.datasource.url=" + Contexts.url(),
                        "spring.datasource.hikari.maximum-pool-size=1",
                        "spring.datasource.hikari.connection-timeout=250",
                        "spring.jpa.hibernate.ddl-auto=create",
                        "spring.liquibase.enabled=false",
                        "spring.flyway.enabled=false",
                        "spring.main.banner-mode=off")
                .properties(properties)
                .run();
    }

    private static String get(Environment environment, String path) throws IOException, InterruptedException {
        String port = Objects.requireNonNull(environment.getProperty("local.server.port"));
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    /** While an order waits for its payment. */
    private interface Meanwhile {
        void run(FlexPoolDataSource pool) throws SQLException;
    }

    private static void whileAnOrderWaits(ConfigurableApplicationContext context, Meanwhile meanwhile)
            throws Exception {
        Orders orders = context.getBean(Orders.class);
        FlexPoolDataSource pool =
                context.getBean(FlexPools.class).byName().values().iterator().next();
        CompletableFuture<String> order = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return get(context.getEnvironment(), "/order");
                    } catch (IOException | InterruptedException failed) {
                        throw new IllegalStateException(failed);
                    }
                },
                task -> new Thread(task, "customer").start());
        try {
            orders.called.await();
            meanwhile.run(pool);
        } finally {
            orders.answers.countDown();
        }
        assertThat(order.get()).isEqualTo("0 paid");
        await().atMost(Duration.ofMinutes(3))
                .untilAsserted(() -> assertThat(pool.state().leased()).isZero());
    }

    @Test
    void aConnectionThatAnOpenViewHoldsIsExplainedWithTheKeyThatEndsIt() throws Exception {
        try (ConfigurableApplicationContext context = start()) {
            whileAnOrderWaits(context, pool -> {
                assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
                Explanation explanation =
                        Objects.requireNonNull(pool.diagnosis().lastExplanation());
                assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.HELD_IDLE);
                assertThat(explanation.holders()).singleElement().satisfies(holder -> {
                    assertThat(holder.openInView()).isTrue();
                    assertThat(holder.otherWork()).isEqualTo(OtherWork.HTTP_CALL);
                });
                assertThat(explanation.text())
                        .contains("without a statement: in an HTTP call at OpenInViewTest.get(")
                        .contains(" spring.jpa.open-in-view=false returns it at the end of the transaction");
            });
        }
    }

    @Test
    void withThatKeyTheConnectionIsBackBeforeTheCall() throws Exception {
        try (ConfigurableApplicationContext context = start("spring.jpa.open-in-view=false")) {
            whileAnOrderWaits(context, pool -> {
                try (Connection connection = pool.getConnection()) {
                    assertThat(connection.isClosed()).isFalse();
                }
                assertThat(pool.diagnosis().lastExplanation()).isNull();
            });
        }
    }
}
