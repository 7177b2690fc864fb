// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** A pool whose requests are of classes, from {@code getConnection()} to {@code close()}. */
@Timeout(300)
class ClassedPoolTest {
    private final FakePool fake = new FakePool();
    private final FlexPoolDataSource pool = FlexPool.wrap(fake.dataSource)
            .name("p")
            .adapter(fake)
            .set("base", 4)
            .set("acquisition-timeout", Duration.ofMinutes(10))
            .set("classes", "web, batch")
            .set("classes.web.guarantee", 0.5)
            .set("classes.batch.max", 2)
            .set("classes.batch.timeout", Duration.ofMillis(30))
            .set("classes.batch.threads", "quartz*,*-job")
            .build();
    private final List<Connection> held = new ArrayList<>();

    @AfterEach
    void nothingIsLeft() throws SQLException {
        for (Connection connection : held) {
            connection.close();
        }
        assertThat(pool.state().leased()).isZero();
        assertThat(pool.state().pending()).isZero();
        // Each class has all its permits again.
        List<Connection> all = new ArrayList<>();
        all.add(as("batch"));
        all.add(as("batch"));
        all.add(as("web"));
        all.add(as("web"));
        for (Connection connection : all) {
            connection.close();
        }
        pool.close();
    }

    /** Its other threads would wait until their acquisition timeout, and Spring with them. */
    @Test
    void aWarmUpOpensNoMoreThanTheFirstClassMay() {
        FakePool its = new FakePool();
        FlexPoolDataSource other = FlexPool.wrap(its.dataSource)
                .name("other")
                .adapter(its)
                .set("base", 4)
                .set("classes", "web, batch")
                .set("classes.web.max", 2)
                .build();
        assertThat(other.warmUp(4, Duration.ofHours(1))).isEqualTo(2);
        assertThat(other.statistics()
                        .total()
                        .acquisition(AcquisitionOutcome.TIMEOUT)
                        .count())
                .isZero();
        other.close();
    }

    private static <T> FutureTask<T> start(String thread, Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread started = new Thread(task, thread);
        started.setDaemon(true);
        started.start();
        return task;
    }

    /** In a thread of its own, for a thread that holds one asks for a nested one. */
    private Connection as(String requestClass) {
        try {
            return start("any", () -> {
                        try (PoolScope.Opened scope = PoolScope.of(requestClass).open()) {
                            assertThat(scope).isNotNull();
                            return pool.getConnection();
                        }
                    })
                    .get();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void hold(String requestClass, int times) {
        for (int at = 0; at < times; at++) {
            held.add(as(requestClass));
        }
    }

    private Throwable refusedAs(String requestClass) {
        try (PoolScope.Opened scope = PoolScope.of(requestClass).open()) {
            assertThat(scope).isNotNull();
            return catchThrowable(pool::getConnection);
        }
    }

    @Test
    void aClassThatHasItsMostWaitsBesideFreeConnections() throws SQLException {
        hold("batch", 2);
        hold("web", 1);
        assertThat(refusedAs("batch"))
                .isInstanceOf(SQLTransientConnectionException.class)
                .hasMessageContaining(
                        "class batch is at its maximum: web holds 1 and no request waits, batch holds 2 of 2 and")
                .hasMessageNotContaining("Report ");
        try (Connection web = pool.getConnection()) {
            assertThat(web.isClosed()).isFalse();
        }
        assertThat(pool.statistics()
                        .total()
                        .acquisition(AcquisitionOutcome.TIMEOUT)
                        .count())
                .isOne();
    }

    @Test
    void theNameOfTheThreadSaysTheClassIfNothingElseDoes() throws Exception {
        hold("batch", 2);
        for (String name : List.of("quartz-7", "night-job")) {
            assertThat(start(name, () -> catchThrowable(pool::getConnection)).get())
                    .as(name)
                    .isInstanceOf(SQLTransientConnectionException.class);
        }
        for (String name : List.of("Quartz-7", "a quartz-7", "night-jobs")) {
            Connection web = start(name, pool::getConnection).get();
            assertThat(web.isClosed()).as(name).isFalse();
            web.close();
        }
        Connection said = start("quartz-7", () -> {
                    try (PoolScope.Opened scope = PoolScope.of("web").open()) {
                        assertThat(scope).isNotNull();
                        return pool.getConnection();
                    }
                })
                .get();
        said.close();
    }

    @Test
    void aThreadThatIsRenamedIsOfItsNewClass() throws Exception {
        hold("batch", 2);
        FutureTask<Throwable> renamed = start("web-1", () -> {
            pool.getConnection().close();
            Thread.currentThread().setName("quartz-1");
            return catchThrowable(pool::getConnection);
        });
        assertThat(renamed.get()).isInstanceOf(SQLTransientConnectionException.class);
    }

    /** Else a thread would wait for its own class's permits while it holds another one's. */
    @Test
    void aNestedRequestIsOfTheClassOfTheConnectionThatTheThreadHolds() throws SQLException {
        try (Connection outer = pool.getConnection()) {
            hold("batch", 2);
            try (PoolScope.Opened scope = PoolScope.of("batch").open();
                    Connection nested = pool.getConnection()) {
                assertThat(scope).isNotNull();
                assertThat(nested.isClosed()).isFalse();
                assertThat(outer.isClosed()).isFalse();
            }
        }
    }

    /** The permit that a thread keeps is of the class of its last lease. */
    @Test
    void aPermitThatAThreadKeepsChangesItsClass() throws SQLException {
        for (int round = 0; round < 10; round++) {
            pool.getConnection().close();
            try (PoolScope.Opened scope = PoolScope.of("batch").open()) {
                assertThat(scope).isNotNull();
                pool.getConnection().close();
            }
        }
        hold("batch", 2);
        assertThat(refusedAs("batch")).isInstanceOf(SQLTransientConnectionException.class);
        hold("web", 2);
    }

    @Test
    void aPermitThatIsKeptIsForTheNextOfItsClassToo() throws Exception {
        for (int at = 0; at < 2; at++) {
            start("quartz-" + at, () -> {
                        pool.getConnection().close();
                        return at(pool);
                    })
                    .get();
        }
        hold("batch", 2);
    }

    private static int at(FlexPoolDataSource pool) {
        return pool.state().leased();
    }

    @Test
    void aWaiterOfAClassIsServedWhenAConnectionOfItsClassComesBack() throws Exception {
        hold("batch", 2);
        FutureTask<Connection> waiting = start("any", () -> {
            try (PoolScope.Opened scope = PoolScope.of("batch").open()) {
                assertThat(scope).isNotNull();
                return pool.getConnection();
            }
        });
        eventually(() -> pool.state().waiting() == 1 || waiting.isDone());
        held.remove(0).close();
        // It waits for 30 ms only: on a machine that stands still it has given up before.
        Throwable failure = catchThrowable(() -> waiting.get().close());
        assertThat(failure == null || failure.getCause() instanceof SQLTransientConnectionException)
                .isTrue();
    }

    @Test
    void aDeadlineThatHasPassedIsAnsweredAtOnce() {
        hold("web", 4);
        try (PoolScope.Opened scope =
                PoolScope.of("web").deadline(Duration.ofMillis(-1)).open()) {
            assertThat(scope).isNotNull();
            // Else it would wait for 10 minutes, and the time limit of this class would end that.
            assertThat(catchThrowable(pool::getConnection)).isInstanceOf(SQLTransientConnectionException.class);
        }
        try (PoolScope.Opened scope = PoolScope.within(Duration.ofMillis(5)).open()) {
            assertThat(scope).isNotNull();
            assertThat(catchThrowable(pool::getConnection)).isInstanceOf(SQLTransientConnectionException.class);
        }
        assertThat(pool.statistics()
                        .total()
                        .acquisition(AcquisitionOutcome.TIMEOUT)
                        .count())
                .isEqualTo(2);
    }

    @Test
    void aTimeoutSaysWhoHoldsWhat() {
        hold("batch", 2);
        hold("web", 2);
        try (PoolScope.Opened scope = PoolScope.within(Duration.ofMillis(5)).open()) {
            assertThat(scope).isNotNull();
            assertThat(catchThrowable(pool::getConnection))
                    .hasMessageContaining("exhausted: web holds 2 and no request waits, batch holds 2 of 2 and")
                    .hasMessageContaining("; report ");
        }
    }

    @Test
    void theViewAndTheReportAreByClass() throws SQLException {
        hold("batch", 2);
        hold("web", 1);
        assertThat(pool.classes()).extracting(RequestClass::name).containsExactly("web", "batch");
        assertThat(pool.classes()).extracting(RequestClass::leased).containsExactly(1, 2);
        assertThat(pool.classes()).extracting(RequestClass::guaranteed).containsExactly(2, 0);
        assertThat(pool.report())
                .contains("Classes, the most important one first (2):")
                .contains("  web holds 1 and no request waits, 2 guaranteed")
                .contains("  batch holds 2 of 2 and no request waits");
    }

    @Test
    void theFiguresAreByClass() throws Exception {
        hold("batch", 2);
        hold("web", 2);
        assertThat(refusedAs("batch")).isInstanceOf(SQLTransientConnectionException.class);
        FutureTask<Connection> waiting = start("any", pool::getConnection);
        eventually(() -> pool.classes().get(0).waiting() == 1);
        held.remove(3).close();
        held.add(waiting.get());
        RequestClass web = pool.classes().get(0);
        RequestClass batch = pool.classes().get(1);
        assertThat(web.name()).isEqualTo("web");
        assertThat(web.waits().count()).isEqualTo(3);
        assertThat(web.waits().percentileNanos(0.5)).isOne();
        assertThat(web.waits().maxNanos()).isGreaterThan(1);
        assertThat(web.recentWaits().count()).isEqualTo(3);
        assertThat(web.timeouts()).isZero();
        assertThat(batch.waits().count()).isEqualTo(2);
        assertThat(batch.waits().sumNanos()).isZero();
        assertThat(batch.timeouts()).isOne();
        assertThat(batch.gauge(PoolMetric.CLASS_USED)).isEqualTo(2);
        assertThat(pool.supports(PoolMetric.CLASS_USED)).isTrue();
    }

    @Test
    void aPoolWithoutClassesHasNoneToShow() {
        FakePool other = new FakePool();
        FlexPoolDataSource plain =
                FlexPool.wrap(other.dataSource).name("plain").adapter(other).build();
        assertThat(plain.classes()).isEmpty();
        assertThat(plain.classes()).isEmpty();
        assertThat(plain.supports(PoolMetric.CLASS_USED)).isFalse();
        assertThat(plain.report()).doesNotContain("Classes");
        plain.close();
    }

    /** A larger pool would have more connections that the class may not have. */
    @Test
    void thePoolDoesNotGrowForAClassThatHasItsMost() throws SQLException {
        FakePool grown = new FakePool();
        FlexPoolDataSource growing = FlexPool.wrap(grown.dataSource)
                .name("grows")
                .adapter(grown)
                .set("base", 2)
                .set("ceiling", 9)
                .set("grow-on-wait.enabled", true)
                .set("grow-on-wait.after", Duration.ofMillis(1))
                .set("acquisition-timeout", Duration.ofMillis(40))
                .set("classes", "web, batch")
                .set("classes.batch.max", 2)
                .build();
        List<Connection> all = new ArrayList<>();
        try (PoolScope.Opened scope = PoolScope.of("batch").open()) {
            assertThat(scope).isNotNull();
            all.add(growing.getConnection());
            all.add(growing.getConnection());
            assertThat(catchThrowable(growing::getConnection)).isInstanceOf(SQLTransientConnectionException.class);
            assertThat(growing.state().limit()).isEqualTo(2);
        }
        for (Connection connection : all) {
            connection.close();
        }
        growing.close();
    }

    /** Regression: a misspelt scope had the rights of the first class, in silence. */
    @Test
    void anUnknownClassIsTheLastOneAndIsLoggedOnce() throws SQLException {
        Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            hold("bathc", 2);
            assertThat(pool.classes().get(1).leased()).isEqualTo(2);
            assertThatThrownBy(() -> {
                        try (PoolScope.Opened scope = PoolScope.of("bathc").open()) {
                            assertThat(scope).isNotNull();
                            pool.getConnection();
                        }
                    })
                    .hasMessageContaining("class batch is at its maximum");
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list.stream().map(ILoggingEvent::getFormattedMessage).filter(line -> line.contains("bathc")))
                .containsExactly("p: no class 'bathc': its requests get the class 'batch'. Did you mean 'batch'?");
    }

    /** Regression: it failed beside idle connections, for what its own thread held. */
    @Test
    void aNestedRequestMayExceedWhatItsClassHasAtMost() throws Exception {
        hold("batch", 1);
        start("quartz-1", () -> {
                    try (Connection outer = pool.getConnection();
                            Connection nested = pool.getConnection()) {
                        assertThat(outer).isNotSameAs(nested);
                        assertThat(pool.classes().get(1).leased()).isEqualTo(3);
                    }
                    return null;
                })
                .get();
        hold("batch", 1);
        assertThat(pool.classes().get(1).leased()).isEqualTo(2);
    }
}
