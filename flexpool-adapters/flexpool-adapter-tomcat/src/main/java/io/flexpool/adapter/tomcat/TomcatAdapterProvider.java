// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tomcat;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapterProvider;
import java.util.Optional;
import org.apache.tomcat.jdbc.pool.DataSourceProxy;

/**
 * Adapts a {@link org.apache.tomcat.jdbc.pool.DataSource}, and any other data source that extends its
 * {@link DataSourceProxy}, for example Dropwizard's.
 */
public final class TomcatAdapterProvider implements PoolAdapterProvider {
    /** Called by {@link java.util.ServiceLoader}. */
    public TomcatAdapterProvider() {}

    @Override
    public Optional<PoolAdapter> adapt(javax.sql.DataSource dataSource) {
        return dataSource instanceof DataSourceProxy tomcat ? Optional.of(new TomcatAdapter(tomcat)) : Optional.empty();
    }
}
