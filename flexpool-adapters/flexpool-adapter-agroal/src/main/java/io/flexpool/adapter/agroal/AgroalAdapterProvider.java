// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.agroal;

import io.agroal.api.AgroalDataSource;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapterProvider;
import java.util.Optional;
import javax.sql.DataSource;

/** Adapts an {@link AgroalDataSource}. */
public final class AgroalAdapterProvider implements PoolAdapterProvider {
    /** Called by {@link java.util.ServiceLoader}. */
    public AgroalAdapterProvider() {}

    @Override
    public Optional<PoolAdapter> adapt(DataSource dataSource) {
        return dataSource instanceof AgroalDataSource agroal
                ? Optional.of(new AgroalAdapter(agroal))
                : Optional.empty();
    }
}
