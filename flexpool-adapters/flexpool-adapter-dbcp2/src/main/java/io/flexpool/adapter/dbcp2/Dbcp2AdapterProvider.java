// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.dbcp2;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapterProvider;
import java.util.Optional;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;

/** Adapts a {@link BasicDataSource} and its subclasses; DBCP's other data sources cannot be resized. */
public final class Dbcp2AdapterProvider implements PoolAdapterProvider {
    /** Called by {@link java.util.ServiceLoader}. */
    public Dbcp2AdapterProvider() {}

    @Override
    public Optional<PoolAdapter> adapt(DataSource dataSource) {
        return dataSource instanceof BasicDataSource basic ? Optional.of(new Dbcp2Adapter(basic)) : Optional.empty();
    }
}
