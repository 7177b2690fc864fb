// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPoolDataSource;
import java.io.Closeable;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * JDBC as a caller sees it over this pool, independent of the bare pool: some lead back to the physical
 * connection, unwrap to null, or say of a closed connection that it is valid.
 */
abstract class JdbcContract extends ContractPart {
    JdbcContract(PoolAdapterContract contract) {
        super(contract);
    }

    private FlexPoolDataSource one() {
        return build(wrap(pool(1, Duration.ofSeconds(5))));
    }

    @Test
    void statementsLeadBackToTheConnection() throws Exception {
        try (Connection connection = one().getConnection();
                Statement statement = connection.createStatement();
                PreparedStatement prepared = connection.prepareStatement("select 1");
                ResultSet result = statement.executeQuery("select 1")) {
            DatabaseMetaData metaData = connection.getMetaData();
            assertThat(statement.getConnection()).isSameAs(connection);
            assertThat(prepared.getConnection()).isSameAs(connection);
            assertThat(metaData.getConnection()).isSameAs(connection);
            assertThat(result.getStatement()).isSameAs(statement);
        }
    }

    @Test
    void aCloseThroughTheStatementGivesThePlaceBack() throws Exception {
        FlexPoolDataSource pool = one();
        for (int round = 0; round < 3; round++) {
            Statement statement = pool.getConnection().createStatement();
            statement.getConnection().close();
        }
        assertThat(pool.state().leased()).isZero();
    }

    @Test
    void aClosedConnectionIsClosedForGood() throws Exception {
        FlexPoolDataSource pool = one();
        Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        connection.close();
        connection.close();
        assertThat(connection.isClosed()).isTrue();
        assertThat(connection.isValid(1)).isFalse();
        assertThatThrownBy(connection::createStatement).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> statement.executeQuery("select 1")).isInstanceOf(SQLException.class);
        try (Connection next = pool.getConnection()) {
            connection.close();
            assertThat(next.isClosed()).isFalse();
            assertThat(next.isValid(1)).isTrue();
            assertThatThrownBy(connection::getCatalog).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void aConnectionUnwrapsToItselfAndNeverToNull() throws Exception {
        FlexPoolDataSource pool = one();
        Connection connection = pool.getConnection();
        assertThat(connection.unwrap(Connection.class)).isSameAs(connection);
        assertThat(connection.isWrapperFor(Connection.class)).isTrue();
        assertThat(connection.unwrap(connection.getClass())).isSameAs(connection);
        assertThat(connection.isWrapperFor(Closeable.class)).isFalse();
        assertThatThrownBy(() -> connection.unwrap(Closeable.class)).isInstanceOf(SQLException.class);
        connection.close();
        assertThat(connection.unwrap(Connection.class)).isSameAs(connection);
        if (has(PoolQuirk.LEAVES_OPEN_WHAT_FAILED)) {
            pool.close();
            assertThat(database.open()).as("dropped, and left open").isOne();
        }
    }

    @Test
    void theDataSourceUnwrapsToThePoolAndNeverToNull() throws Exception {
        DataSource raw = pool(1, Duration.ofSeconds(5));
        FlexPoolDataSource pool = build(wrap(raw));
        assertThat(pool.unwrap(raw.getClass())).isSameAs(raw);
        assertThat(pool.isWrapperFor(raw.getClass())).isTrue();
        assertThat(pool.unwrap(DataSource.class)).isSameAs(pool);
        assertThat(pool.isWrapperFor(Comparable.class)).isFalse();
        assertThatThrownBy(() -> pool.unwrap(Comparable.class)).isInstanceOf(SQLException.class);
    }
}
