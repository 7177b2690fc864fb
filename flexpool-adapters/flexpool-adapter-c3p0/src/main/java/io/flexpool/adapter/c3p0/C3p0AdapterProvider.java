// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.c3p0;

import com.mchange.v2.c3p0.WrapperConnectionPoolDataSource;
import com.mchange.v2.c3p0.impl.AbstractPoolBackedDataSource;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapterProvider;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Adapts c3p0's {@code ComboPooledDataSource} and {@code PoolBackedDataSource}, if the latter keeps its settings in
 * c3p0's own {@link WrapperConnectionPoolDataSource}.
 */
public final class C3p0AdapterProvider implements PoolAdapterProvider {
    /** Called by {@link java.util.ServiceLoader}. */
    public C3p0AdapterProvider() {}

    @Override
    public Optional<PoolAdapter> adapt(DataSource dataSource) {
        return dataSource instanceof AbstractPoolBackedDataSource c3p0
                        && c3p0.getConnectionPoolDataSource() instanceof WrapperConnectionPoolDataSource settings
                ? Optional.of(new C3p0Adapter(c3p0, settings))
                : Optional.empty();
    }
}
