// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.internal.config.AdapterFinder;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Set;
import javax.sql.DataSource;

/** A pool for which there is no module: flexpool watches, gates and retries, by the adapter that knows nothing. */
class GenericAdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        return new PlainPool(database, max, timeout);
    }

    @Override
    protected PoolAdapter adapter(DataSource pool) {
        return AdapterFinder.find(pool);
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of();
    }

    /** It has a timeout and waits, but flexpool does not know it, and both figures are configured instead. */
    @Override
    protected Set<PoolQuirk> quirks() {
        return Set.of(
                PoolQuirk.WAITS_AT_THE_GATE_ONLY,
                PoolQuirk.REPORTS_NOTHING,
                PoolQuirk.TAKES_NOTHING_BACK,
                PoolQuirk.OPENS_NOTHING_PAST_ITSELF);
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLTransientConnectionException.class;
    }

    @Override
    protected String maxSizeKey() {
        return "max";
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(1);
    }
}
