// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.vibur;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapterProvider;
import java.util.Optional;
import javax.sql.DataSource;
import org.vibur.dbcp.ViburDBCPDataSource;

/** Adapts a {@link ViburDBCPDataSource}. */
public final class ViburAdapterProvider implements PoolAdapterProvider {
    /** Called by {@link java.util.ServiceLoader}. */
    public ViburAdapterProvider() {}

    @Override
    public Optional<PoolAdapter> adapt(DataSource dataSource) {
        return dataSource instanceof ViburDBCPDataSource vibur
                ? Optional.of(new ViburAdapter(vibur))
                : Optional.empty();
    }
}
