// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it.slice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.flexpool.junit5.LeakCheck;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;

/** The leak check in tests of slices of an application, run by JUnit itself on contexts that Spring Boot's tests make. */
class SlicesTest {
    private static final List<Connection> LEFT = new CopyOnWriteArrayList<>();

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {}

    /** Leaks once. A class of its own makes its context and closes it. */
    @ContextConfiguration(classes = Application.class)
    @TestPropertySource(
            properties = {
                "spring.datasource.url=jdbc:h2:mem:slices",
                "spring.liquibase.enabled=false",
                "spring.flyway.enabled=false",
                "spring.jpa.open-in-view=false",
                // As for the application's pool: an embedded database could not meet it.
                "flexpool.base=2",
                "flexpool.ceiling=5",
                "flexpool.grow-on-wait.enabled=true"
            })
    @DirtiesContext
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    abstract static class Leaking {
        @Autowired
        @SuppressWarnings("NullAway.Init") // by Spring
        private DataSource dataSource;

        @Autowired
        @SuppressWarnings("NullAway.Init") // by Spring
        private JdbcTemplate jdbc;

        @Test
        @Order(1)
        void queries() {
            assertThat(jdbc.queryForObject("select 1", Integer.class)).isEqualTo(1);
        }

        @Test
        @Order(2)
        void forgetsAConnection() throws SQLException {
            LEFT.add(dataSource.getConnection());
        }

        @Test
        @Order(3)
        void queriesAgain() {
            queries();
        }
    }

    @Slice.OfJpa
    @ExtendWith(LeakCheck.class)
    static class Jpa extends Leaking {}

    @ExtendWith(LeakCheck.class)
    @Slice.OfJpa
    static class CheckedAroundJpa extends Leaking {}

    @Slice.OfJdbc
    @ExtendWith(LeakCheck.class)
    static class Jdbc extends Leaking {}

    @Slice.OfJdbcWithItsPool
    @ExtendWith(LeakCheck.class)
    static class JdbcOnThePool extends Leaking {}

    @SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
    @ExtendWith(LeakCheck.class)
    static class Whole extends Leaking {}

    @SpringBootTest(classes = Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
    @Slice.WithTestDatabase
    @ExtendWith(LeakCheck.class)
    static class WholeOnATestDatabase extends Leaking {}

    @AfterEach
    void giveBack() throws SQLException {
        for (Connection left : LEFT) {
            left.close();
        }
        LEFT.clear();
    }

    private static EngineExecutionResults run(Class<?> test) {
        return EngineTestKit.engine("junit-jupiter")
                .configurationParameter(LeakCheck.GRACE_PARAMETER, "PT0.04S")
                .selectors(selectClass(test))
                .execute();
    }

    private static List<String> failures(Events events) {
        return events.failed().stream()
                .map(failed -> failed.getRequiredPayload(TestExecutionResult.class)
                        .getThrowable()
                        .orElseThrow())
                .map(thrown -> Objects.requireNonNull(thrown.toString()))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Jpa.class,
                CheckedAroundJpa.class,
                Jdbc.class,
                JdbcOnThePool.class,
                Whole.class,
                WholeOnATestDatabase.class
            })
    void aLeakFailsItsTest(Class<?> slice) {
        EngineExecutionResults results = run(slice);
        assertThat(failures(results.containerEvents())).isEmpty();
        assertThat(failures(results.testEvents()))
                .singleElement()
                .asString()
                .contains("forgetsAConnection() leaked 1 connection")
                .containsPattern("dataSource: main at .*Leaking\\.forgetsAConnection\\(SlicesTest\\.java:\\d+\\)");
        assertThat(results.testEvents().succeeded().count()).isEqualTo(2);
    }
}
