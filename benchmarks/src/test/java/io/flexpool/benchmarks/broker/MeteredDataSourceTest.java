// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.tck.database.StubDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MeteredDataSourceTest {
    private final MeteredDataSource meter = new MeteredDataSource(
            new StubDatabase().connectTakes(Duration.ofMillis(20)).dataSource());

    @Test
    void theMostAtOnceIsOfThoseThatWereNotClosed() throws SQLException {
        meter.getConnection().close();
        try (Connection first = meter.getConnection();
                Connection second = meter.getConnection()) {
            assertThat(first).isNotSameAs(second);
        }
        meter.getConnection().close();

        MeteredDataSource.Reading reading = meter.reading();
        assertThat(reading.connections()).isEqualTo(4);
        assertThat(reading.peakOut()).isEqualTo(2);
        assertThat(reading.meanMs()).isGreaterThanOrEqualTo(20);
    }

    @Test
    void aResetKeepsOnlyActiveConnections() throws SQLException {
        try (Connection out = meter.getConnection()) {
            meter.getConnection().close();
            meter.reset();

            assertThat(out.isClosed()).isFalse();
            assertThat(meter.reading().connections()).isZero();
            assertThat(meter.reading().meanMs()).isZero();
            assertThat(meter.reading().peakOut()).isEqualTo(1);
        }
    }
}
