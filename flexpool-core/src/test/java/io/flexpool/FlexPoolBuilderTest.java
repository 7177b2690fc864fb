// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.spi.DelegatingDataSource;
import io.flexpool.strategy.AcquisitionStrategy;
import io.flexpool.strategy.AcquisitionStrategy.AcquisitionSituation;
import io.flexpool.strategy.AcquisitionStrategy.Verdict;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

class FlexPoolBuilderTest {
    private static Arguments bad(UnaryOperator<FlexPoolBuilder> change, String message) {
        return Arguments.of(change, message);
    }

    static Stream<Arguments> badInput() {
        PoolListener listener = event -> {};
        return Stream.of(
                bad(b -> b.set("base", 0), "p: base = 0: must be from 1 to 10000"),
                bad(b -> b.set("base", -7), "base = -7: must be from 1 to 10000"),
                bad(b -> b.set("base", 10_001), "base = 10001"),
                bad(
                        b -> b.set("base", 30).set("ceiling", 25).set("grow-on-wait.enabled", true),
                        "ceiling = 25: must not be below the base, 30"),
                bad(
                        b -> b.set("acquisition-timeout", Duration.ZERO),
                        "acquisition-timeout = PT0S: must be from PT0.001S to PT1H"),
                bad(b -> b.set("acquisition-timeout", Duration.ofSeconds(-1)), "acquisition-timeout = PT-1S"),
                bad(b -> b.set("acquisition-timeout", Duration.ofDays(2)), "acquisition-timeout = PT48H"),
                bad(b -> b.set("slow-acquisition", Duration.ZERO), "slow-acquisition = PT0S: must be above PT0S"),
                bad(b -> b.set("long-lease", Duration.ofDays(400)), "long-lease = PT9600H"),
                bad(
                        b -> b.set("ceiling", 25)
                                .set("grow-on-wait.enabled", true)
                                .set("grow-on-wait.after", Duration.ofMillis(200)),
                        "grow-on-wait.after = PT0.2S: must be shorter than the acquisition timeout, PT0.2S"),
                bad(b -> b.name(" "), "name = ' ': must be 1 to 100 characters"),
                bad(b -> b.name(""), "name = ''"),
                bad(b -> b.name("a\nb"), "name = 'a?b'"),
                bad(b -> b.name("x".repeat(101)), "must be 1 to 100 characters"),
                bad(b -> b.listener(listener).listener(listener), "given twice"),
                bad(b -> b.strategy(new Passes()).strategy(new Passes()), "strategy = Passes: given twice"),
                bad(
                        b -> b.set("retry.deadline", Duration.ofMillis(200)),
                        "retry.deadline = PT0.2S: must be longer than the acquisition timeout, PT0.2S"));
    }

    @ParameterizedTest
    @MethodSource("badInput")
    void badInputIsRefusedByNameAndThePoolIsUntouched(UnaryOperator<FlexPoolBuilder> change, String message) {
        FakePool fake = new FakePool();
        fake.max = 10;
        FlexPoolBuilder builder =
                change.apply(FlexPool.wrap(fake.dataSource).name("p").adapter(fake));
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
        assertThat(fake.max).isEqualTo(10);
        // Nothing was left behind: the very pool can be wrapped now.
        FlexPool.wrap(fake.dataSource).name("p").adapter(fake).build().close();
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller without the checker may do
    void nullsAreRefusedByName() {
        FlexPoolBuilder builder = FlexPool.wrap(new FakePool().dataSource);
        DataSource none = null;
        assertThatThrownBy(() -> FlexPool.wrap(none)).hasMessageContaining("data source to wrap is null");
        String noName = null;
        assertThatThrownBy(() -> builder.name(noName)).hasMessage("name is null");
        PoolListener noListener = null;
        assertThatThrownBy(() -> builder.listener(noListener)).hasMessage("listener is null");
    }

    @Test
    void aSecondWrapIsRefusedUntilTheFirstIsClosed() {
        FakePool fake = new FakePool();
        FlexPoolDataSource first =
                FlexPool.wrap(fake.dataSource).name("first").adapter(fake).build();
        FlexPoolBuilder again = FlexPool.wrap(fake.dataSource).name("second").adapter(fake);
        assertThatThrownBy(again::build)
                .isInstanceOf(AlreadyWrappedException.class)
                .hasMessageStartingWith("second: ")
                .hasMessageContaining("wrapped already, as 'first'");
        assertThatThrownBy(() -> FlexPool.wrap(first).name("third").build())
                .hasMessageStartingWith("first: the data source to wrap is flexpool's own wrapper");
        first.close();
        again.build().close();
    }

    /** Each lease was counted twice, and limited twice. */
    @Test
    void aWrapperBehindAnotherDataSourceIsRefused() {
        FakePool fake = new FakePool();
        try (FlexPoolDataSource inner =
                FlexPool.wrap(fake.dataSource).name("first").adapter(fake).build()) {
            Outer outer = new Outer(inner);
            assertThatThrownBy(() -> FlexPool.wrap(outer).name("second").build())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("first: the data source to wrap (" + Outer.class.getName()
                            + ") contains flexpool's own wrapper of this pool");
        }
    }

    /** The line said only "monitoring only", and figures of the pool were missing. */
    @Test
    void ofADataSourceWithoutAnAdapterTheFirstLineSaysWhatToWrap() {
        FakePool fake = new FakePool();
        List<String> lines = new ArrayList<>();
        ListAppender<ILoggingEvent> seen = new ListAppender<>();
        Logger log = (Logger) LoggerFactory.getLogger("io.flexpool");
        seen.start();
        log.addAppender(seen);
        try (FlexPoolDataSource pool =
                FlexPool.wrap(new Outer(fake.dataSource)).name("hidden").build()) {
            seen.list.forEach(event -> lines.add(event.getFormattedMessage()));
            assertThat(lines)
                    .containsExactly(pool.name()
                            + ": Outer, flexpool does not change this pool (mode recommend); no adapter for "
                            + Outer.class.getName() + ": if it contains a pool, wrap that pool with flexpool, and put"
                            + " this data source around flexpool's");
        } finally {
            log.detachAppender(seen);
        }
    }

    /** Another library's wrapper. */
    private static final class Outer extends DelegatingDataSource {
        private final DataSource inner;

        Outer(DataSource inner) {
            this.inner = inner;
        }

        @Override
        protected DataSource pool() {
            return inner;
        }
    }

    /** A backend that could not be bound once left the loop running and the backends before it bound. */
    @Test
    void aBuildThatFailsInTheMiddleLeavesNothingBehind() throws InterruptedException {
        awaitNoLoop();
        FakePool fake = new FakePool();
        fake.max = 10;
        AtomicInteger bound = new AtomicInteger();
        FlexPoolBuilder builder = FlexPool.wrap(fake.dataSource)
                .name("half")
                .adapter(fake)
                .set("base", 3)
                .metrics(pool -> {
                    bound.incrementAndGet();
                    return bound::decrementAndGet;
                })
                .metrics(pool -> {
                    throw new LinkageError("no such backend");
                });
        assertThatThrownBy(builder::build).isInstanceOf(LinkageError.class);
        assertThat(bound).hasValue(0);
        assertThat(fake.max).as("sizes are put back").isEqualTo(10);
        assertThat(loops()).isZero();
        FlexPool.wrap(fake.dataSource).name("again").adapter(fake).build().close();
    }

    /** The second close of an earlier wrapper once made room for a third. */
    @Test
    void closingTwiceKeepsALaterWrapperRegistered() {
        FakePool fake = new FakePool();
        FlexPoolDataSource first =
                FlexPool.wrap(fake.dataSource).name("first").adapter(fake).build();
        first.close();
        FlexPoolDataSource second =
                FlexPool.wrap(fake.dataSource).name("second").adapter(fake).build();
        first.close();
        FlexPoolBuilder third = FlexPool.wrap(fake.dataSource).name("third").adapter(fake);
        assertThatThrownBy(third::build).hasMessageContaining("wrapped already, as 'second'");
        second.close();
    }

    /** It stayed known as wrapped, and could never be wrapped again. */
    @Test
    void aPoolWhoseCloseEndsInAnErrorCanBeWrappedAgain() {
        FakePool fake = new FakePool();
        fake.closeThrows = new LinkageError("a class of the pool's is gone");
        FlexPoolDataSource first =
                FlexPool.wrap(fake.dataSource).name("first").adapter(fake).build();
        assertThatThrownBy(first::close).isSameAs(fake.closeThrows);
        fake.closeThrows = null;
        first.close();
        FlexPool.wrap(fake.dataSource).name("second").adapter(fake).build().close();
        assertThat(fake.poolClosed).hasValue(2);
    }

    @Test
    void aPoolWithoutATimeoutIsRefusedWhereALimitNeedsOne() {
        JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:", "sa", "");
        assertThatThrownBy(() -> FlexPool.wrap(pool)
                        .name("h2")
                        .set("base", 2)
                        .set("ceiling", 4)
                        .set("grow-on-wait.enabled", true)
                        .build())
                .hasMessageContaining("acquisition-timeout = none: must be given");
        assertThatThrownBy(() -> FlexPool.wrap(pool)
                        .name("h2")
                        .set("acquisition-timeout", Duration.ofSeconds(1))
                        .build())
                .hasMessageContaining("base = none: must be given");
        pool.dispose();
    }

    @Test
    void anyDataSourceCanBeWatchedGatedAndRetried() throws SQLException {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:any");
        try (FlexPoolDataSource pool = FlexPool.wrap(h2)
                .name("any")
                .set("base", 1)
                .set("acquisition-timeout", Duration.ofMillis(50))
                .build()) {
            try (Connection one = pool.getConnection()) {
                assertThat(one.isValid(1)).isTrue();
                assertThatThrownBy(pool::getConnection).hasMessageContaining("exhausted");
            }
            assertThat(pool.unwrap(JdbcDataSource.class)).isSameAs(h2);
            assertThat(pool.isWrapperFor(JdbcDataSource.class)).isTrue();
            assertThat(pool.unwrap(FlexPoolDataSource.class)).isSameAs(pool);
        }
    }

    /** Agroal without metrics and H2's pool move their max, but do not close what is idle. */
    @ParameterizedTest
    @CsvSource({
        "true, true, ",
        "false, true, flexpool cannot close the idle connections of this Fake pool",
        "false, false, the max of this Fake pool cannot be changed at run time"
    })
    void reportsWhyPhysicalConnectionsCannotFollow(boolean follows, boolean resizes, @Nullable String why) {
        Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        Level before = logger.getLevel();
        logger.setLevel(Level.INFO);
        try {
            FakePool fake = new FakePool();
            if (!follows) {
                fake.cannot(Capability.PHYSICAL_FOLLOWS_LIMIT);
            }
            if (!resizes) {
                fake.cannot(Capability.LIVE_RESIZE);
            }
            FlexPool.wrap(fake.dataSource)
                    .name("keeps")
                    .adapter(fake)
                    .set("base", 2)
                    .set("ceiling", 7)
                    .set("grow-on-wait.enabled", true)
                    .build()
                    .close();
            List<String> said = lines.list.stream()
                    .map(ILoggingEvent::getFormattedMessage)
                    .filter(line -> line.startsWith("keeps: the pool may keep up to 7 connections open"))
                    .toList();
            if (why == null) {
                assertThat(said).isEmpty();
            } else {
                assertThat(said)
                        .containsExactly(
                                "keeps: the pool may keep up to 7 connections open while the limit is 2: " + why);
            }
        } finally {
            logger.setLevel(before);
            logger.detachAppender(lines);
        }
    }

    /** The pool was restored and refused, while its watch went on. */
    @Test
    void aLogThatThrowsOnceThePoolHasStartedDoesNotRefuseIt() throws SQLException {
        Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
        UnsynchronizedAppenderBase<ILoggingEvent> broken = new UnsynchronizedAppenderBase<>() {
            /** What append throws would be caught. */
            @Override
            public void doAppend(ILoggingEvent event) {
                throw new IllegalStateException("the appender is broken");
            }

            @Override
            protected void append(ILoggingEvent event) {}
        };
        broken.start();
        logger.addAppender(broken);
        Level before = logger.getLevel();
        logger.setLevel(Level.INFO);
        FakePool fake = new FakePool();
        try (FlexPoolDataSource pool = FlexPool.wrap(fake.dataSource)
                .name("silent")
                .adapter(fake)
                .set("base", 2)
                .set("ceiling", 7)
                .set("grow-on-wait.enabled", true)
                .build()) {
            pool.getConnection().close();
            assertThat(pool.statistics().total().leases().count()).isOne();
        } finally {
            logger.setLevel(before);
            logger.detachAppender(broken);
        }
    }

    /** The caller gets the reason. */
    @Test
    void aRestoreThatThrowsLeavesTheFirstFailure() {
        FakePool fake = new FakePool();
        IllegalStateException restore = new IllegalStateException("restore is broken");
        fake.largestMax = 5;
        fake.restore = () -> {
            throw restore;
        };
        assertThatThrownBy(FlexPool.wrap(fake.dataSource)
                        .name("unprepared")
                        .adapter(fake)
                        .set("base", 2)
                        .set("ceiling", 7)
                        .set("grow-on-wait.enabled", true)::build)
                .isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxFake is 5")
                .hasSuppressedException(restore);
    }

    /** The building thread waited for as long as the pool's own lock was held: ten minutes on Druid. */
    @Test
    @Timeout(300)
    void aRestoreThatHangsDoesNotKeepTheFailureBack() {
        FakePool fake = new FakePool();
        CountDownLatch over = new CountDownLatch(1);
        fake.largestMax = 5;
        fake.restore = () -> {
            try {
                over.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        };
        try {
            assertThatThrownBy(FlexPool.wrap(fake.dataSource)
                            .name("hanging")
                            .adapter(fake)
                            .set("base", 2)
                            .set("ceiling", 7)
                            .set("grow-on-wait.enabled", true)::build)
                    .isExactlyInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("maxFake is 5")
                    .satisfies(thrown -> assertThat(thrown.getSuppressed())
                            .singleElement()
                            .satisfies(late -> assertThat(late).hasMessageContaining("has not returned")));
        } finally {
            over.countDown();
        }
    }

    @Test
    void disabledOnlyDelegates() throws SQLException {
        FakePool fake = new FakePool();
        FlexPoolDataSource pool = FlexPool.wrap(fake.dataSource)
                .name("off")
                .adapter(fake)
                .set("base", 1)
                .set("enabled", false)
                .build();
        Connection direct = fake.connection();
        fake.answer = () -> direct;
        assertThat(pool.getConnection()).isSameAs(direct);
        assertThat(pool.getConnection()).isSameAs(direct);
        assertThat(pool.state().bound()).isFalse();
        assertThat(fake.max).isEqualTo(2);
        assertThat(pool.statistics().total().leases().count()).isZero();
    }

    @Test
    void theLoopEndsWithTheLastPool() throws InterruptedException {
        awaitNoLoop();
        FakePool one = new FakePool();
        FakePool two = new FakePool();
        FlexPoolDataSource first = FlexPool.wrap(one.dataSource).adapter(one).build();
        FlexPoolDataSource second = FlexPool.wrap(two.dataSource).adapter(two).build();
        assertThat(loops()).isOne();
        first.close();
        assertThat(loops()).isOne();
        second.close();
        second.close();
        awaitNoLoop();
    }

    /** Also that of the test before may need a processor to end on. */
    private static void awaitNoLoop() {
        eventually(() -> loops() == 0);
    }

    private static long loops() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("flexpool-loop"))
                .count();
    }

    private static final class Passes implements AcquisitionStrategy {
        @Override
        public Verdict consult(AcquisitionSituation situation) {
            return Verdict.PASS;
        }
    }
}
