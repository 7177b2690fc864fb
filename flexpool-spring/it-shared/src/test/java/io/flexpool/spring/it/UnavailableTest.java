// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** What a web server answers where a request gets no connection: a real one, and a real pool. */
@Timeout(300)
class UnavailableTest {
    @RestController
    static class Orders {
        private final JdbcTemplate jdbc;
        private final DataSource source;

        Orders(JdbcTemplate jdbc, DataSource source) {
            this.jdbc = jdbc;
            this.source = source;
        }

        /** Spring's exception around the pool's. */
        @GetMapping("/nested")
        String nested() throws SQLException {
            try (Connection held = source.getConnection()) {
                return held.isClosed() + String.valueOf(jdbc.queryForObject("SELECT 1", String.class));
            }
        }

        @GetMapping("/ok")
        String ok() {
            return "" + jdbc.queryForObject("SELECT 1", String.class);
        }

        @GetMapping("/wrong")
        String wrong() {
            return "" + jdbc.queryForObject("SELECT nothing", String.class);
        }
    }

    /** As many applications have one. */
    @RestControllerAdvice
    static class TakesAll {
        @ExceptionHandler(Exception.class)
        String any(Exception thrown) {
            return "taken: " + thrown.getClass().getSimpleName();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Orders.class)
    static class Application {}

    @Configuration(proxyBeanMethods = false)
    @Import({Application.class, TakesAll.class})
    static class TakingApplication {}

    private static ConfigurableApplicationContext start(Class<?> application, String... properties) {
        return new SpringApplicationBuilder(application)
                .properties(
                        "server.port=0",
                        "spring.datasource.url=" + Contexts.url(),
                        "spring.datasource.hikari.maximum-pool-size=1",
                        "spring.datasource.hikari.connection-timeout=250",
                        "spring.jpa.hibernate.ddl-auto=none",
                        "spring.liquibase.enabled=false",
                        "spring.flyway.enabled=false",
                        "spring.main.banner-mode=off")
                .properties(properties)
                .run();
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext context, String path)
            throws IOException, InterruptedException {
        String port = Objects.requireNonNull(context.getEnvironment().getProperty("local.server.port"));
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    /** A pool that is only watched, whose own exception has flexpool's report beside it, and one that flexpool limits. */
    @ParameterizedTest
    @ValueSource(strings = {"flexpool.enabled=true", "flexpool.acquisition-timeout=250ms"})
    void exhaustionIsAnsweredWith503AndWhenToTryAgain(String property) throws Exception {
        try (ConfigurableApplicationContext context =
                start(TakingApplication.class, "flexpool.web.unavailable=true", property)) {
            HttpResponse<String> answer = get(context, "/nested");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(answer.body()).contains("\"status\":503", "Service Unavailable");
            assertThat(get(context, "/ok").body()).isEqualTo("1");
            assertThat(get(context, "/wrong").body()).isEqualTo("taken: BadSqlGrammarException");
        }
    }

    @Test
    void aClassThatHasItsMostIsNoOtherMatter() throws Exception {
        try (ConfigurableApplicationContext context = start(
                Application.class,
                "spring.datasource.hikari.maximum-pool-size=2",
                "flexpool.web.unavailable=true",
                "flexpool.base=2",
                "flexpool.acquisition-timeout=250ms",
                "flexpool.classes=web",
                "flexpool.classes.web.max=1")) {
            assertThat(get(context, "/nested").statusCode())
                    .as("a nested request may exceed the most of its class")
                    .isEqualTo(200);
            try (Connection only = context.getBean(DataSource.class).getConnection()) {
                assertThat(only.isClosed()).isFalse();
                assertThat(get(context, "/nested").statusCode()).isEqualTo(503);
            }
            assertThat(get(context, "/wrong").statusCode()).isEqualTo(500);
        }
    }

    @Test
    void unlessWantedItIsAnsweredAsWithoutFlexpool() throws Exception {
        try (ConfigurableApplicationContext context = start(Application.class)) {
            HttpResponse<String> answer = get(context, "/nested");
            assertThat(answer.statusCode()).isEqualTo(500);
            assertThat(answer.headers().firstValue("Retry-After")).isEmpty();
        }
    }
}
