// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.ownadapter;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapterProvider;
import java.util.Optional;
import javax.sql.DataSource;

/** Adapts an {@link OwnPool}. */
public final class OwnAdapterProvider implements PoolAdapterProvider {
    /** For {@link java.util.ServiceLoader}. */
    public OwnAdapterProvider() {}

    @Override
    public Optional<PoolAdapter> adapt(DataSource dataSource) {
        return dataSource instanceof OwnPool own ? Optional.of(new OwnAdapter(own)) : Optional.empty();
    }
}
