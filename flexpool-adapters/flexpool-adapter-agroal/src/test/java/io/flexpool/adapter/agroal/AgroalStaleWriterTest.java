// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.agroal;

import io.flexpool.adapter.tck.contract.StaleWriterContract;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;

@Tag("scenario")
class AgroalStaleWriterTest extends StaleWriterContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        return AgroalAdapterTest.agroal(database, max, timeout, more -> {});
    }
}
