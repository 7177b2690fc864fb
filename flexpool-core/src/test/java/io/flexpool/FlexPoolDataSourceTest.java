// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import io.flexpool.internal.config.GrowOnWait;
import io.flexpool.internal.config.RetryAcquisition;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.monitoring.PoolView;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolMode;
import java.io.PrintWriter;
import java.io.Writer;
import java.sql.Connection;
import java.sql.ConnectionBuilder;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.ShardingKey;
import java.sql.ShardingKeyBuilder;
import java.sql.Wrapper;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Logger;
import javax.sql.ConnectionPoolDataSource;
import javax.sql.DataSource;
import javax.sql.XADataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The wrapped pool as a data source: what it answers for itself, and what it passes on. */
class FlexPoolDataSourceTest {
    private final FakePool fake = new FakePool();
    private final FlexPoolDataSource pool = FlexPool.wrap(fake.dataSource)
            .name("fake")
            .adapter(fake)
            .set("base", 2)
            .build();

    @AfterEach
    void close() {
        pool.close();
    }

    /** What a pool also is. */
    public interface ConfigBean {}

    @Test
    void unwrapsToItselfBeforeTheTarget() throws SQLException {
        assertThat(pool.unwrap(FlexPoolDataSource.class)).isSameAs(pool);
        assertThat(pool.unwrap(DataSource.class)).isSameAs(pool);
        assertThat(pool.unwrap(PoolView.class)).isSameAs(pool);
        when(fake.dataSource.unwrap(String.class)).thenReturn("inner");
        when(fake.dataSource.isWrapperFor(String.class)).thenReturn(true);
        assertThat(pool.unwrap(String.class)).isEqualTo("inner");
        assertThat(pool.isWrapperFor(String.class)).isTrue();
        assertThat(pool.isWrapperFor(Integer.class)).isFalse();
        SQLException own = new SQLException("not a wrapper");
        when(fake.dataSource.unwrap(Long.class)).thenThrow(own);
        assertThat(catchThrowable(() -> pool.unwrap(Long.class))).isSameAs(own);
    }

    @Test
    void isListedUntilItIsClosedOrReleased() {
        FakePool second = new FakePool();
        FakePool third = new FakePool();
        FlexPoolDataSource disabled = FlexPool.wrap(second.dataSource)
                .adapter(second)
                .set("enabled", false)
                .build();
        FlexPoolDataSource released =
                FlexPool.wrap(third.dataSource).adapter(third).build();
        assertThat(OpenPools.list()).containsSubsequence(pool, released).doesNotContain(disabled);
        released.release();
        assertThat(OpenPools.list()).contains(pool).doesNotContain(released);
        pool.close();
        assertThat(OpenPools.list()).doesNotContain(pool, released);
    }

    @Test
    void newPoolsAreReportedUntilTheWatchEnds() {
        List<FlexPoolDataSource> received = new CopyOnWriteArrayList<>();
        OpenPools.Registration watch = OpenPools.whenBuilt(received::add);
        FakePool second = new FakePool();
        try (FlexPoolDataSource born =
                FlexPool.wrap(second.dataSource).adapter(second).build()) {
            assertThat(received).contains(born).doesNotContain(pool);
        }
        watch.close();
        watch.close();
        FakePool third = new FakePool();
        try (FlexPoolDataSource later =
                FlexPool.wrap(third.dataSource).adapter(third).build()) {
            assertThat(received).doesNotContain(later);
        }
    }

    /** The caller has no wrapper to close then: the pool must be free to be wrapped again. */
    @Test
    void aThrowingBuildListenerEndsTheBuild() {
        FakePool second = new FakePool();
        IllegalStateException refused = new IllegalStateException("not this one");
        FlexPoolBuilder builder = FlexPool.wrap(second.dataSource).adapter(second);
        try (OpenPools.Registration watch = OpenPools.whenBuilt(born -> {
            throw refused;
        })) {
            assertThat(watch).isNotNull();
            assertThat(catchThrowable(builder::build)).isSameAs(refused);
        }
        builder.build().close();
    }

    @Test
    void exposesItsParts() {
        GrowOnWait grow = GrowOnWait.upTo(4);
        RetryAcquisition retry = RetryAcquisition.times(2, Duration.ZERO, Duration.ofMinutes(1));
        FakePool other = new FakePool();
        try (FlexPoolDataSource made = FlexPool.wrap(other.dataSource)
                .adapter(other)
                .strategy(grow)
                .strategy(retry)
                .build()) {
            assertThat(made.enabled()).isTrue();
            assertThat(made.capabilities()).isNotEmpty().isEqualTo(other.capabilities());
            assertThat(made.strategies()).containsExactly(grow, retry);
            made.mode(PoolMode.MONITOR);
            assertThat(made.strategies()).containsExactly(grow, retry);
        }
    }

    @Test
    void aDisabledOneHasNoStrategies() {
        FakePool other = new FakePool();
        try (FlexPoolDataSource made = FlexPool.wrap(other.dataSource)
                .adapter(other)
                .set("ceiling", 4)
                .set("grow-on-wait.enabled", true)
                .set("enabled", false)
                .build()) {
            assertThat(made.enabled()).isFalse();
            assertThat(made.strategies()).isEmpty();
            assertThat(made.capabilities()).isEqualTo(other.capabilities());
        }
    }

    /** Frameworks ask by the interface of a pool's configuration, which the pool's own isWrapperFor may not know. */
    @Test
    void theTargetIsFoundByAnInterfaceToo() throws SQLException {
        DataSource target = mock(DataSource.class, withSettings().extraInterfaces(ConfigBean.class));
        try (FlexPoolDataSource wrapped = FlexPool.wrap(target).name("bean").build()) {
            assertThat(wrapped.isWrapperFor(ConfigBean.class)).isTrue();
            assertThat(wrapped.unwrap(ConfigBean.class)).isSameAs(target);
        }
    }

    /** Proxool's data source is older than JDBC 4: the call ended in an AbstractMethodError. */
    @Test
    void aTargetOlderThanJdbc4IsNoWrapperForAnything() throws SQLException {
        when(fake.dataSource.unwrap(Integer.class)).thenThrow(new AbstractMethodError());
        when(fake.dataSource.isWrapperFor(Integer.class)).thenThrow(new AbstractMethodError());
        assertThat(pool.isWrapperFor(Integer.class)).isFalse();
        assertThatThrownBy(() -> pool.unwrap(Integer.class))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("cannot unwrap to java.lang.Integer");
    }

    /** Tomcat's pool answers null for what it cannot unwrap. */
    @Test
    void aTargetThatUnwrapsToNullIsNoWrapper() {
        assertThatThrownBy(() -> pool.unwrap(Integer.class))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("cannot unwrap to java.lang.Integer");
    }

    /** Agroal's casts. */
    @Test
    void aTargetThatCannotCastItselfIsNoWrapper() throws SQLException {
        when(fake.dataSource.unwrap(Integer.class)).thenThrow(new ClassCastException("not an Integer"));
        assertThatThrownBy(() -> pool.unwrap(Integer.class))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("cannot unwrap to java.lang.Integer");
    }

    @Test
    void pretendsToBeNothingElse() throws SQLException {
        assertThat((Object) pool).isNotInstanceOf(XADataSource.class).isNotInstanceOf(ConnectionPoolDataSource.class);
        assertThat(pool.isWrapperFor(XADataSource.class)).isFalse();
        assertThat(pool.isWrapperFor(ConnectionPoolDataSource.class)).isFalse();
        assertThat(pool).isInstanceOf(Wrapper.class);
    }

    @Test
    void theLogWriterIsTheTargets() throws SQLException {
        PrintWriter writer = new PrintWriter(Writer.nullWriter());
        when(fake.dataSource.getLogWriter()).thenReturn(writer);
        assertThat(pool.getLogWriter()).isSameAs(writer);
        pool.setLogWriter(writer);
        verify(fake.dataSource).setLogWriter(writer);
    }

    @Test
    void theLoginTimeoutIsTheTargets() throws SQLException {
        when(fake.dataSource.getLoginTimeout()).thenReturn(17);
        assertThat(pool.getLoginTimeout()).isEqualTo(17);
        pool.setLoginTimeout(5);
        verify(fake.dataSource).setLoginTimeout(5);
    }

    @Test
    void theLoggerIsTheTargets() throws SQLException {
        Logger logger = Logger.getAnonymousLogger();
        when(fake.dataSource.getParentLogger()).thenReturn(logger);
        assertThat(pool.getParentLogger()).isSameAs(logger);
    }

    @Test
    void shardingKeysAreTheTargets() throws SQLException {
        ShardingKeyBuilder keys = mock(ShardingKeyBuilder.class);
        when(fake.dataSource.createShardingKeyBuilder()).thenReturn(keys);
        assertThat(pool.createShardingKeyBuilder()).isSameAs(keys);
    }

    @Test
    void aConnectionForAUserIsTimedAndGatedLikeEveryOther() throws SQLException {
        Connection physical = fake.connection();
        when(fake.dataSource.getConnection("u", "p")).thenReturn(physical);
        try (Connection connection = pool.getConnection("u", "p")) {
            assertThat(connection).isNotSameAs(physical);
            assertThat(pool.state().leased()).isOne();
        }
        assertThat(fake.closed).hasValue(1);
        assertThat(pool.statistics().total().leases().count()).isOne();
    }

    @Test
    void builtConnectionsAreTimedAndGatedLikeEveryOther() throws SQLException {
        ConnectionBuilder target = mock(ConnectionBuilder.class);
        ShardingKey key = mock(ShardingKey.class);
        ShardingKey superKey = mock(ShardingKey.class);
        Connection physical = fake.connection();
        when(fake.dataSource.createConnectionBuilder()).thenReturn(target);
        when(target.build()).thenReturn(physical);
        ConnectionBuilder builder = pool.createConnectionBuilder();
        ConnectionBuilder complete =
                builder.user("u").password("p").shardingKey(key).superShardingKey(superKey);
        assertThat(complete).isSameAs(builder);
        verify(target).user("u");
        verify(target).password("p");
        verify(target).shardingKey(key);
        verify(target).superShardingKey(superKey);
        try (Connection one = complete.build();
                Connection two = complete.build()) {
            assertThat(one).isNotSameAs(two);
            assertThat(pool.state().leased()).isEqualTo(2);
            assertThatThrownBy(complete::build).as("the gate").hasMessageContaining("no connection after");
        }
        assertThat(pool.statistics().total().acquisition(AcquisitionOutcome.OK).count())
                .isEqualTo(2);
        SQLException own = new SQLException("mine", "HY000");
        when(target.build()).thenThrow(own);
        assertThat(catchThrowable(complete::build)).isSameAs(own);
        assertThat(pool.state().entering()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whereTheTargetHasNoConnectionBuilderThatIsSaid(boolean enabled) {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:builder");
        try (FlexPoolDataSource wrapped =
                FlexPool.wrap(h2).name("h2").set("enabled", enabled).build()) {
            assertThatThrownBy(wrapped::createConnectionBuilder).isInstanceOf(SQLFeatureNotSupportedException.class);
        }
    }

    /** H2's pool has no close() but dispose(), and was left open. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPoolIsClosedByAnyCloseMethod(boolean enabled) throws SQLException {
        JdbcConnectionPool h2 = JdbcConnectionPool.create("jdbc:h2:mem:dispose", "sa", "");
        FlexPoolDataSource wrapped =
                FlexPool.wrap(h2).name("h2").set("enabled", enabled).build();
        wrapped.getConnection().close();
        wrapped.close();
        wrapped.close();
        assertThatThrownBy(h2::getConnection).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(wrapped::getConnection)
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("is closed");
    }
}
