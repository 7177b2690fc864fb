// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tomcat;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapterProvider;
import java.util.Optional;

/** Adapts a {@link org.apache.tomcat.jdbc.pool.DataSource}. */
public final class TomcatAdapterProvider implements PoolAdapterProvider {
    /** For {@link java.util.ServiceLoader}. */
    public TomcatAdapterProvider() {}

    @Override
    public Optional<PoolAdapter> adapt(javax.sql.DataSource dataSource) {
        return dataSource instanceof org.apache.tomcat.jdbc.pool.DataSource tomcat
                ? Optional.of(new TomcatAdapter(tomcat))
                : Optional.empty();
    }
}
