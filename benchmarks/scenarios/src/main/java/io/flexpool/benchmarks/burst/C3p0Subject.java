// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import com.mchange.v2.c3p0.DataSources;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;

/** c3p0. One at a time where it grows: with its default of three it opens more than requested. */
final class C3p0Subject implements Subject {
    @Override
    public OpenPool open(DataSource database, int max, int idle, Duration timeout) throws SQLException {
        DataSource pool = DataSources.pooledDataSource(
                database,
                Map.of(
                        "maxPoolSize",
                        max,
                        "minPoolSize",
                        idle,
                        "initialPoolSize",
                        idle,
                        "acquireIncrement",
                        1,
                        "checkoutTimeout",
                        (int) timeout.toMillis(),
                        "maxIdleTimeExcessConnections",
                        1));
        return new OpenPool(pool, () -> DataSources.destroy(pool));
    }

    @Override
    public ConnectLaw connectLaw() {
        return ConnectLaw.THREE_HELPERS;
    }

    @Override
    public String flexyPoolMissing() {
        return "FlexyPool's adapter does not link with this c3p0";
    }

    @Override
    public OpenPool inFlexyPool(OpenPool pool, int more, int retries) {
        throw new UnsupportedOperationException(flexyPoolMissing());
    }
}
