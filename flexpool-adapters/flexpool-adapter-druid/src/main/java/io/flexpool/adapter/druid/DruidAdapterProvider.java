// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.druid;

import com.alibaba.druid.pool.DruidDataSource;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapterProvider;
import java.util.Optional;
import javax.sql.DataSource;

/** Adapts a {@link DruidDataSource}. */
public final class DruidAdapterProvider implements PoolAdapterProvider {
    /** Called by {@link java.util.ServiceLoader}. */
    public DruidAdapterProvider() {}

    @Override
    public Optional<PoolAdapter> adapt(DataSource dataSource) {
        return dataSource instanceof DruidDataSource druid ? Optional.of(new DruidAdapter(druid)) : Optional.empty();
    }
}
