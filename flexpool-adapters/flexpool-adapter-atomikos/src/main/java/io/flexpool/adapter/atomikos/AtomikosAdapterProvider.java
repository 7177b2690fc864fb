// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.atomikos;

import com.atomikos.jdbc.internal.AbstractDataSourceBean;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapterProvider;
import java.util.Optional;
import javax.sql.DataSource;

/** Adapts {@code AtomikosDataSourceBean} and {@code AtomikosNonXADataSourceBean}. */
public final class AtomikosAdapterProvider implements PoolAdapterProvider {
    /** Called by {@link java.util.ServiceLoader}. */
    public AtomikosAdapterProvider() {}

    @Override
    public Optional<PoolAdapter> adapt(DataSource dataSource) {
        return dataSource instanceof AbstractDataSourceBean bean
                ? Optional.of(new AtomikosAdapter(bean))
                : Optional.empty();
    }
}
