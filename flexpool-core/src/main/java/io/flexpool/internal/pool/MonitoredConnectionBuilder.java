// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import java.sql.Connection;
import java.sql.ConnectionBuilder;
import java.sql.SQLException;
import java.sql.ShardingKey;
import org.jspecify.annotations.Nullable;

/** Wraps the target's connection builder, so that its connections pass the gate and are timed like all others. */
public final class MonitoredConnectionBuilder implements ConnectionBuilder {
    private final AcquiringPool pool;
    private final ConnectionBuilder target;

    public MonitoredConnectionBuilder(AcquiringPool pool, ConnectionBuilder target) {
        this.pool = pool;
        this.target = target;
    }

    @Override
    public ConnectionBuilder user(@Nullable String username) {
        target.user(username);
        return this;
    }

    @Override
    public ConnectionBuilder password(@Nullable String password) {
        target.password(password);
        return this;
    }

    @Override
    public ConnectionBuilder shardingKey(@Nullable ShardingKey shardingKey) {
        target.shardingKey(shardingKey);
        return this;
    }

    @Override
    public ConnectionBuilder superShardingKey(@Nullable ShardingKey superShardingKey) {
        target.superShardingKey(superShardingKey);
        return this;
    }

    @Override
    public Connection build() throws SQLException {
        return pool.acquire(dataSource -> target.build());
    }
}
