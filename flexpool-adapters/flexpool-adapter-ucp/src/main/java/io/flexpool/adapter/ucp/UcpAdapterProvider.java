// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.ucp;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapterProvider;
import java.util.Optional;
import javax.sql.DataSource;
import oracle.ucp.jdbc.PoolDataSource;

/** Adapts a {@link PoolDataSource} of Oracle UCP. */
public final class UcpAdapterProvider implements PoolAdapterProvider {
    /** Called by {@link java.util.ServiceLoader}. */
    public UcpAdapterProvider() {}

    @Override
    public Optional<PoolAdapter> adapt(DataSource dataSource) {
        return dataSource instanceof PoolDataSource ucp ? Optional.of(new UcpAdapter(ucp)) : Optional.empty();
    }
}
