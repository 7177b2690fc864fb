// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;

/** No container is started here: not every machine has a Docker daemon, and the choice is what is to be right. */
class PostgresEnginesTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(PostgresEngines.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    private final FakeEngine container = new FakeEngine();
    private final FakeEngine embedded = new FakeEngine();
    private final PostgresEngines engines = new PostgresEngines(settings -> container, settings -> embedded);

    @BeforeEach
    void listen() {
        log.start();
        logger.setAdditive(false);
        logger.addAppender(log);
    }

    @AfterEach
    void listenNoMore() {
        logger.detachAppender(log);
        logger.setAdditive(true);
    }

    @Test
    void containersAreTriedOnlyIfADaemonAnswers() {
        assertThat(PostgresEngines.here().triesContainers())
                .isEqualTo(DockerClientFactory.instance().isDockerAvailable());
        assertThat(PostgresEngines.embedded().triesContainers()).isFalse();
    }

    @Test
    void aContainerThatStartsIsTaken() throws Exception {
        assertThat(start()).isSameAs(container);
        assertThat(start()).isSameAs(container);
        assertThat(embedded.calls).isEmpty();
        assertThat(log.list).isEmpty();
    }

    @Test
    void aFailingContainerIsReplacedAndLogged() throws Exception {
        container.failure = new IllegalStateException("no such image");
        assertThat(start()).isSameAs(embedded);
        assertThat(container.calls).containsExactly("create", "delete");
        assertThat(log.list).hasSize(1).allSatisfy(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.WARN);
            assertThat(line.getFormattedMessage()).contains("no such image");
        });
    }

    @Test
    void aContainerThatHasFailedIsNotTriedAgain() throws Exception {
        container.failure = new NoClassDefFoundError("org/testcontainers/postgresql/PostgreSQLContainer");
        start();
        start();
        assertThat(container.calls).containsExactly("create", "delete");
        assertThat(embedded.calls).containsExactly("create", "create");
        assertThat(log.list).hasSize(1);
    }

    @Test
    void anEmbeddedServerThatDoesNotStartIsAFailure() {
        container.failure = new IOException("no daemon");
        embedded.failure = new SQLException("no disk");
        assertThatThrownBy(this::start).isSameAs(embedded.failure);
        assertThat(embedded.calls).containsExactly("create", "delete");
    }

    private PostgresEngine start() throws IOException, SQLException {
        return engines.start(Map.of(), "flex", "secret");
    }

    private static final class FakeEngine implements PostgresEngine {
        private final List<String> calls = new ArrayList<>();
        private Throwable failure = new AssertionError("none");

        @Override
        public void create(String role, String password) throws IOException, SQLException {
            calls.add("create");
            if (failure instanceof IOException io) {
                throw io;
            }
            if (failure instanceof SQLException sql) {
                throw sql;
            }
            if (failure instanceof RuntimeException runtime) {
                throw runtime;
            }
            if (failure instanceof LinkageError linkage) {
                throw linkage;
            }
        }

        @Override
        public String superusersPassword() {
            return "";
        }

        @Override
        public int port() {
            return 1;
        }

        @Override
        public void stop() {
            calls.add("stop");
        }

        @Override
        public void startAgain() {
            calls.add("startAgain");
        }

        @Override
        public void delete() {
            calls.add("delete");
        }
    }
}
