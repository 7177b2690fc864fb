// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.pool.FakePool;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Log injection: servers put URLs into names of threads and databases put input into messages, so that a remote party
 * writes what is logged. No line that flexpool writes or gives to others begins, ends or colours at its will.
 */
@Timeout(300)
class ForeignTextTest {
    private static final String FORGED = "\n2026-01-01 ERROR forged\r\u001b[2J\u0085\u2028\u202e\u2066\u200f\ufeff";

    private final FakePool fake = new FakePool();
    private final Queue<PoolEvent> received = new ConcurrentLinkedQueue<>();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
    private final @Nullable Level before = logger.getLevel();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
        Thread.currentThread().setName("request" + FORGED + " end");
    }

    @AfterEach
    void close() throws Exception {
        Thread.currentThread().setName("main");
        logger.detachAppender(log);
        logger.setLevel(before);
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private FlexPoolBuilder wrap() {
        fake.timeout = Duration.ofMillis(20);
        return FlexPool.wrap(fake.dataSource)
                .name("orders")
                .adapter(fake)
                .set("base", 1)
                .listener(new PoolListener() {
                    @Override
                    public void onEvent(PoolEvent event) {
                        if (event instanceof PoolEvent.AcquisitionTimedOut timedOut) {
                            received.add(timedOut);
                        } else if (event instanceof PoolEvent.ConnectFailed failed) {
                            received.add(failed);
                        } else if (event instanceof PoolEvent.NestedAcquisition nested) {
                            received.add(nested);
                        }
                    }
                });
    }

    private FlexPoolDataSource build(FlexPoolBuilder builder) {
        FlexPoolDataSource pool = builder.build();
        opened.add(pool);
        return pool;
    }

    private static void assertPlain(String where, String text) {
        // An explanation has lines of its own, each of which begins with two blanks.
        assertThat(text.replace("\n  ", "")
                        .codePoints()
                        .filter(ForeignTextTest::hidden)
                        .mapToObj(Character::getName))
                .as("%s: %s", where, text)
                .isEmpty();
    }

    private static boolean hidden(int letter) {
        int type = Character.getType(letter);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }

    private void assertLogAndEventsArePlain(FlexPoolDataSource pool) {
        for (ILoggingEvent event : log.list) {
            assertPlain("the log", event.getFormattedMessage());
            if (event.getThrowableProxy() != null) {
                ThrowableProxyUtil.asString(event.getThrowableProxy())
                        .lines()
                        .forEach(line -> assertThat(line)
                                .isNotEqualTo("2026-01-01 ERROR forged")
                                .doesNotContain("\u001b"));
            }
        }
        received.forEach(event -> assertPlain("an event", event.toString()));
        pool.report().lines().forEach(line -> {
            assertPlain("the report", line);
            assertThat(line).doesNotStartWith("2026");
        });
        pool.openLeases().forEach(lease -> assertPlain("an open lease", lease.toString()));
    }

    @Test
    void theHoldersThreadNameIsOnOneLineEverywhere() throws Exception {
        FlexPoolDataSource pool =
                build(wrap().set("call-sites.sample-every", 1).set("leak.threshold", Duration.ofMinutes(1)));
        Connection held = pool.getConnection();
        Throwable thrown = catchThrowable(pool::getConnection);
        assertThat(thrown).isInstanceOf(SQLException.class);
        assertPlain("the exception", thrown.toString());
        assertPlain("the lease", pool.openLeases().get(0).thread());
        assertThat(pool.openLeases().get(0).thread()).startsWith("request ").contains("forged");
        assertThat(received).isNotEmpty();
        assertLogAndEventsArePlain(pool);
        held.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theNameOfANestedRequestsThreadToo(boolean refused) throws Exception {
        FlexPoolDataSource pool = build(wrap().set("nested", refused ? "strict" : "count"));
        try (Connection held = pool.getConnection()) {
            assertThat(held).isNotNull();
            assertPlain("the exception", catchThrowable(pool::getConnection).toString());
            assertLogAndEventsArePlain(pool);
        }
    }

    @Test
    void whatADriverSaysIsOnOneLineAndItsExceptionStays() throws Exception {
        String said = "refused" + FORGED;
        SQLException drivers = new SQLException(said, "08\n01");
        fake.answer = () -> {
            throw drivers;
        };
        fake.kind = Kind.CONNECT_FAILED;
        FlexPoolDataSource pool = build(wrap());
        assertThat(catchThrowable(pool::getConnection)).isSameAs(drivers).hasMessage(said);
        assertThat(drivers.getSQLState()).isEqualTo("08\n01");
        assertThat(drivers.getSuppressed()).hasSize(1);
        assertPlain("what is added to it", String.valueOf(drivers.getSuppressed()[0].getMessage()));
        assertThat(received).isNotEmpty();
        assertLogAndEventsArePlain(pool);
    }

    @Test
    void anExceptionThatIsLoggedIsPlainAndKeepsTypeAndStack() throws Exception {
        SQLException cause = new SQLException("cause" + FORGED);
        Error thrown = new AssertionError("listener" + FORGED, cause);
        thrown.addSuppressed(new IllegalStateException("beside" + FORGED));
        fake.answer = () -> {
            throw new SQLException("refused", "08001");
        };
        fake.kind = Kind.CONNECT_FAILED;
        FlexPoolDataSource pool = build(wrap().listener(new PoolListener() {
            @Override
            public void onEvent(PoolEvent event) {
                if (event instanceof PoolEvent.ConnectFailed) {
                    throw thrown;
                }
            }
        }));
        assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
        assertThat(log.list).anySatisfy(event -> {
            assertThat(event.getThrowableProxy()).isNotNull();
            String shown = ThrowableProxyUtil.asString(event.getThrowableProxy());
            assertThat(shown)
                    .contains("java.lang.AssertionError: listener ")
                    .contains("java.sql.SQLException: cause ")
                    .contains("java.lang.IllegalStateException: beside ")
                    .contains("at io.flexpool.ForeignTextTest.anExceptionThatIsLogged");
        });
        assertLogAndEventsArePlain(pool);
        assertThat(thrown).hasMessage("listener" + FORGED);
    }

    @Test
    void aStatementIsOnOneLine() throws Exception {
        FlexPoolDataSource pool = build(
                wrap().properties(Map.of("flexpool.statement-text", "true", "flexpool.time-in-database", "true")));
        try (Connection held = pool.getConnection()) {
            PreparedStatement target = mock(PreparedStatement.class);
            String sql = "select 1 /* " + FORGED + " */";
            when(held.unwrap(fake.dataSource.getConnection().getClass()).prepareStatement(sql))
                    .thenReturn(target);
            held.prepareStatement(sql).execute();
            String shown = String.valueOf(pool.openLeases().get(0).statement());
            assertThat(shown).startsWith("select 1").contains("forged");
            assertPlain("the statement", shown);
            assertLogAndEventsArePlain(pool);
        }
    }

    /** A name that is shown at each line would otherwise turn each line. */
    @ParameterizedTest
    @ValueSource(strings = {"or\nders", "or\u001bders", "or\u202eders", "or\u2028ders", "or\ufeffders"})
    void aPoolsNameWithHiddenCharactersIsRefused(String name) {
        assertThatThrownBy(() -> wrap().name(name).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name = ")
                .satisfies(refused -> assertPlain("the refusal", String.valueOf(refused.getMessage())));
    }

    /** Servers name threads by the URL that they serve. */
    @Test
    void aLongNameIsCut() throws Exception {
        Thread.currentThread().setName("GET " + "x".repeat(100_000));
        FlexPoolDataSource pool = build(wrap().set("leak.threshold", Duration.ofMinutes(1)));
        try (Connection held = pool.getConnection()) {
            assertThat(held).isNotNull();
            assertThat(pool.openLeases().get(0).thread())
                    .startsWith("GET x")
                    .endsWith("…")
                    .hasSizeLessThan(300);
        }
    }
}
