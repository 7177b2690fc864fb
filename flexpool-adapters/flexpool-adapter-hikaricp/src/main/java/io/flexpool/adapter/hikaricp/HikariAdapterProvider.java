// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapterProvider;
import java.util.Optional;
import javax.sql.DataSource;

/** Adapts a {@link HikariDataSource}. */
public final class HikariAdapterProvider implements PoolAdapterProvider {
    /** Called by {@link java.util.ServiceLoader}. */
    public HikariAdapterProvider() {}

    @Override
    public Optional<PoolAdapter> adapt(DataSource dataSource) {
        return dataSource instanceof HikariDataSource hikari
                ? Optional.of(new HikariAdapter(hikari))
                : Optional.empty();
    }
}
