// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.tck.StubDatabase;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CountingDataSourceTest {
    private final StubDatabase stub = new StubDatabase().connectTakes(Duration.ofMillis(2));
    private final CountingDataSource counting = new CountingDataSource(stub.dataSource());

    @Test
    void itCountsWhatTheDriverCounts() throws Exception {
        Connection first = counting.getConnection();
        Connection second = counting.getConnection();
        first.close();
        Connection third = counting.getConnection();

        assertThat(counting.open()).isEqualTo(stub.open()).isEqualTo(2);
        assertThat(counting.peak()).isEqualTo(stub.peak()).isEqualTo(2);
        second.close();
        third.close();
        assertThat(counting.open()).isEqualTo(stub.open()).isZero();
        counting.getConnection().close();
        assertThat(counting.peak()).isEqualTo(2);
        assertThat(counting.connectNanos()).hasSize(4).allMatch(nanos -> nanos >= 2_000_000);
    }
}
