// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.pgbouncer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.when;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolState;
import io.flexpool.server.pgbouncer.PgBouncerPart.PoolName;
import io.flexpool.server.pgbouncer.PgBouncerPart.PoolRow;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.BlockingCalls;
import io.flexpool.spi.PartContext.Leased;
import io.flexpool.spi.PartContext.PartSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PgBouncerPartTest {
    private static final Duration LONGEST = Duration.ofMillis(1_009);

    private final PartContext context = mock(PartContext.class);
    private final Console console = new Console();
    private List<Leased> leased = List.of();
    private long nanos = 5_000_000_000L;
    private int pending;
    private PgBouncerPart part = new PgBouncerPart(context(), console);

    /** A console with scripted answers. */
    private static final class Console implements PgBouncerPart.Pools {
        private List<PoolRow> rows = List.of();
        private @Nullable PoolName name;
        private @Nullable SQLException refuses;
        private int readings;

        @Override
        public List<PoolRow> read() throws SQLException {
            readings++;
            if (refuses != null) {
                throw refuses;
            }
            return rows;
        }

        @Override
        public Optional<PoolName> of(Connection connection) {
            return Optional.ofNullable(name);
        }

        @Override
        public void close() {}
    }

    private PartContext context() {
        BlockingCalls calls = mock(BlockingCalls.class);
        when(calls.run(any(), any())).thenAnswer(call -> {
            call.<Runnable>getArgument(1).run();
            return true;
        });
        when(context.calls(1)).thenReturn(calls);
        when(context.name()).thenReturn("shop");
        when(context.nanos()).thenAnswer(call -> nanos);
        when(context.leasedConnections()).thenReturn(() -> leased);
        return context;
    }

    @BeforeEach
    void start() {
        part = new PgBouncerPart(context, console);
        console.rows = List.of(new PoolRow("shop", "web", 3, 3, LONGEST));
    }

    private void tick(long millisLater) {
        nanos += millisLater * 1_000_000;
        PoolState state = mock(PoolState.class);
        when(state.pending()).thenReturn(pending);
        part.tick(state, nanos);
    }

    /** The others are the holders' own doing, whoever waits behind them. */
    @ParameterizedTest
    @EnumSource(
            value = Cause.class,
            names = {"CONNECT_FAILURE", "OPENING", "DEMAND", "SLOW_DATABASE", "HELD"})
    void whereClientsWaitTheAdviceIsAboutPgBouncer(Cause cause) {
        assertThat(part.advice(cause)).as("before the first reading").isNull();
        tick(0);
        assertThat(part.advice(cause))
                .isEqualTo("A larger pool would not help. Shorten the transactions of PgBouncer's clients, or raise"
                        + " PgBouncer's pool_size if the database has capacity.");
        assertThat(part.advice(Cause.LEAK)).isNull();
        console.rows = List.of(new PoolRow("shop", "web", 0, 3, Duration.ZERO));
        tick(60_000);
        assertThat(part.advice(cause)).as("nobody waits").isNull();
    }

    @Test
    void withoutAConnectionToTheServerThatIsWhatToCheck() {
        console.rows = List.of(new PoolRow("shop", "web", 3, 0, LONGEST));
        tick(0);
        assertThat(part.advice(Cause.CONNECT_FAILURE))
                .isEqualTo("Check PgBouncer's log: PgBouncer has no connection to the database server.");
    }

    private void lease(String database, String user) {
        console.name = new PoolName(database, user);
        Leased lease = mock(Leased.class);
        when(lease.connection()).thenReturn(mock(Connection.class));
        leased = List.of(lease);
    }

    @Test
    void onlyAFreshReadingExplainsAFailure() {
        tick(0);
        String words = "3 clients wait in PgBouncer for one of its 3 connections to database 'shop' as user 'web',"
                + " the longest for 1.0 s";
        assertThat(part.findings()).containsExactly(words);
        nanos += 1_999_000_000L;
        assertThat(part.findings()).containsExactly(words);
        nanos += 1_000_000;
        assertThat(part.findings()).isEmpty();
        assertThat(part.reportLines()).containsExactly("PgBouncer: " + words);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0 | 3 | no client waits in PgBouncer for one of its 3 connections to database 'shop' as user 'web'
            1 | 1 | 1 client waits in PgBouncer for its only connection to database 'shop' as user 'web', the longest for 1.0 s
            2 | 0 | 2 clients wait in PgBouncer for a connection to database 'shop' as user 'web', and none is open, the longest for 1.0 s
            """)
    void theReportHasTheQueue(int waiting, int servers, String words) {
        console.rows = List.of(new PoolRow("shop", "web", waiting, servers, LONGEST));
        tick(0);
        assertThat(part.reportLines()).containsExactly("PgBouncer: " + words);
        assertThat(part.findings()).hasSize(waiting == 0 ? 0 : 1);
    }

    @Test
    void itIsReadEachSecondWhileRequestsWaitElseEachMinute() {
        tick(0);
        tick(59_999);
        assertThat(console.readings).isOne();
        tick(1);
        assertThat(console.readings).isEqualTo(2);
        pending = 1;
        tick(999);
        assertThat(console.readings).isEqualTo(2);
        tick(1);
        assertThat(console.readings).isEqualTo(3);
    }

    /** A request may fail for which no tick has seen anybody wait. */
    @Test
    void itIsReadEachSecondForAMinuteAfterAFailure() {
        tick(0);
        when(context.requestsEnded(AcquisitionOutcome.CONNECT_FAILURE)).thenReturn(1L);
        tick(1_000);
        assertThat(console.readings).isEqualTo(2);
        tick(59_999);
        assertThat(console.readings).isEqualTo(3);
        tick(1);
        assertThat(console.readings).isEqualTo(3);
        tick(59_998);
        assertThat(console.readings).isEqualTo(3);
        tick(1);
        assertThat(console.readings).isEqualTo(4);
    }

    /** Another pool of PgBouncer, for which more clients wait, is not this pool's. */
    @Test
    void theRowIsThatOfThePoolsDatabaseAndUser() {
        List<PoolRow> rows = new ArrayList<>(List.of(
                new PoolRow("pgbouncer", "pgbouncer", 0, 0, Duration.ZERO),
                new PoolRow("billing", "web", 90, 9, LONGEST),
                new PoolRow("shop", "batch", 50, 5, LONGEST),
                new PoolRow("shop", "web", 3, 3, LONGEST)));
        console.rows = rows;
        tick(0);
        assertThat(part.findings())
                .as("of an unknown name")
                .singleElement()
                .asString()
                .startsWith("90 clients");
        lease("shop", "web");
        tick(60_000);
        assertThat(part.findings()).singleElement().asString().startsWith("3 clients");
        leased = List.of();
        tick(60_000);
        assertThat(part.findings())
                .as("nothing is leased")
                .singleElement()
                .asString()
                .startsWith("3 clients");
        rows.remove(3);
        tick(60_000);
        assertThat(part.findings())
                .as("PgBouncer has a user for the database")
                .singleElement()
                .asString()
                .startsWith(
                        "50 clients wait in PgBouncer for one of its 5 connections to database 'shop' as user 'batch'");
        rows.remove(2);
        tick(60_000);
        assertThat(part.findings()).isEmpty();
    }

    @Test
    void aConsoleThatRefusesIsATroubleAndReadAgainAfterAMinute() {
        pending = 1;
        console.refuses = new SQLException("no such user, password=hunter2", "08P01");
        tick(0);
        assertThat(part.trouble(nanos))
                .isEqualTo("PgBouncer's console refused or could not be reached (SQLException, SQLState 08P01)");
        assertThat(part.findings()).isEmpty();
        assertThat(part.reportLines()).isEmpty();
        console.refuses = null;
        tick(59_999);
        assertThat(console.readings).isOne();
        tick(1);
        assertThat(part.trouble(nanos)).isNull();
        assertThat(part.findings()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://host:6432/shop?password=hunter2, jdbc:postgresql://host:6432/shop?password=***",
        "postgresql://me:hunter2@host/pgbouncer?user=me, postgresql://***@host/pgbouncer?user=me",
        "'', ''"
    })
    void anotherUrlIsRefusedWithItsPlaceAndWithoutItsPassword(String url, String shown) {
        FlexPoolBuilder builder = FlexPool.wrap(mock(DataSource.class))
                .name("orders")
                .properties(Map.of("flexpool.server-view.pgbouncer", url));
        assertThatThrownBy(builder::build)
                .hasMessage("orders: flexpool.server-view.pgbouncer = " + shown + ": must be a JDBC URL, for example"
                        + " jdbc:postgresql://host:6432/pgbouncer?user=stats (the given map)");
    }

    private static PartSettings settings(String url) {
        PartSettings settings = mock(PartSettings.class);
        when(settings.get(PgBouncerPartProvider.PGBOUNCER)).thenReturn(Optional.of(url));
        return settings;
    }

    @Test
    void whatTheDriverRefusesIsRefusedWithoutItsPassword() {
        PartSettings settings = settings("jdbc:postgresql://host:port/pgbouncer?password=hunter2");
        PartSettings.Refusals refusals = mock(PartSettings.Refusals.class);
        new PgBouncerPartProvider().check(settings, refusals);
        verifyNoInteractions(refusals);
        when(context.settings()).thenReturn(settings);
        assertThatThrownBy(() -> new PgBouncerPartProvider().create(context))
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .hasMessageStartingWith("shop: flexpool.server-view.pgbouncer = "
                        + "jdbc:postgresql://host:port/pgbouncer?password=***: must be a JDBC URL, for example")
                .message()
                .doesNotContain("hunter2");
    }
}
