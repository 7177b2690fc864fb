// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.adapter.tck.faults.Crowd;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StubDriverTest {
    private final StubDatabase database = new StubDatabase();

    private static void isRefusedWith(String state, String url) {
        assertThatThrownBy(() -> new StubDriver().connect(url, null))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        thrown -> assertThat(thrown.getSQLState()).isEqualTo(state));
    }

    @Test
    void aDatabaseHasOneUrlAndNoOtherHasIt() {
        assertThat(database.url()).isEqualTo(database.url()).isNotEqualTo(new StubDatabase().url());
    }

    @Test
    void theDriverManagerConnectsToTheDatabaseOfTheUrl() throws Exception {
        StubDatabase other = new StubDatabase();
        assertThat(other.url()).isNotEqualTo(database.url());
        try (Connection connection = DriverManager.getConnection(database.url())) {
            assertThat(connection.isValid(1)).isTrue();
            assertThat(database.open()).isOne();
            assertThat(other.open()).isZero();
        }
        assertThat(database.open()).isZero();
    }

    @Test
    void aPoolMayMakeTheDriverItself() throws Exception {
        Driver driver = new StubDriver();
        assertThat(driver.acceptsURL(database.url())).isTrue();
        try (Connection connection = driver.connect(database.url(), null)) {
            assertThat(connection).isNotNull();
            assertThat(database.open()).isOne();
        }
    }

    @Test
    void anotherDriversUrlIsNotItsOwn() throws Exception {
        Driver driver = new StubDriver();
        assertThat(driver.acceptsURL("jdbc:h2:mem:other")).isFalse();
        assertThat(driver.connect("jdbc:h2:mem:other", null)).isNull();
    }

    @Test
    void aUrlOfNoDatabaseIsRefusedAsAServerWould() {
        isRefusedWith("3D000", database.url() + "0");
    }

    @Test
    void theFaultsOfTheDatabaseComeThrough() {
        database.fault(StubDatabase.Fault.WRONG_PASSWORD);
        isRefusedWith("28P01", database.url());
        assertThat(database.connectAttempts()).isOne();
    }

    @Test
    void aUrlDoesNotKeepItsDatabaseAlive() throws Exception {
        String url = new StubDatabase().url();
        assertThat(Crowd.eventually(Duration.ofSeconds(20), () -> {
                    System.gc();
                    return gone(url);
                }))
                .isTrue();
    }

    private static boolean gone(String url) {
        try (Connection connection = new StubDriver().connect(url, null)) {
            return connection == null;
        } catch (SQLException thrown) {
            return "3D000".equals(thrown.getSQLState());
        }
    }

    @Test
    void deregistrationLastsUntilTheNextUrl() throws Exception {
        String url = database.url();
        StubDriver.deregister();
        assertThatThrownBy(() -> DriverManager.getConnection(url)).isInstanceOf(SQLException.class);
        assertThat(new StubDatabase().url()).isNotEqualTo(url);
        try (Connection connection = DriverManager.getConnection(url)) {
            assertThat(connection.isValid(1)).isTrue();
        }
    }
}
