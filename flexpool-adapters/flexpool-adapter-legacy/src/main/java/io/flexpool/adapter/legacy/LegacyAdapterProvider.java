// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapterProvider;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Adapts the data sources of BoneCP, Proxool and Commons DBCP 1.4, PostgreSQL's {@code PGPoolingDataSource}, H2's
 * {@code JdbcConnectionPool}, MariaDB's {@code MariaDbPoolDataSource} and MyBatis' {@code PooledDataSource}. Each is tried
 * separately, so that absent classes do not affect the others.
 */
public final class LegacyAdapterProvider implements PoolAdapterProvider {
    private static final List<Function<DataSource, @Nullable PoolAdapter>> KINDS = List.of(
            LegacyAdapterProvider::h2,
            LegacyAdapterProvider::boneCp,
            LegacyAdapterProvider::dbcp,
            LegacyAdapterProvider::proxool,
            LegacyAdapterProvider::postgres,
            LegacyAdapterProvider::mariaDb,
            LegacyAdapterProvider::myBatis);

    /** Called by {@link java.util.ServiceLoader}. */
    public LegacyAdapterProvider() {}

    @Override
    public Optional<PoolAdapter> adapt(DataSource dataSource) {
        for (Function<DataSource, @Nullable PoolAdapter> kind : KINDS) {
            try {
                PoolAdapter adapter = kind.apply(dataSource);
                if (adapter != null) {
                    return Optional.of(adapter);
                }
            } catch (LinkageError noSuchPool) {
                // This pool's classes are absent; the next kind may match.
            }
        }
        return Optional.empty();
    }

    private static @Nullable PoolAdapter h2(DataSource dataSource) {
        return dataSource instanceof org.h2.jdbcx.JdbcConnectionPool pool ? new H2Adapter(pool) : null;
    }

    private static @Nullable PoolAdapter boneCp(DataSource dataSource) {
        return dataSource instanceof com.jolbox.bonecp.BoneCPDataSource pool ? new BoneCpAdapter(pool) : null;
    }

    private static @Nullable PoolAdapter dbcp(DataSource dataSource) {
        return dataSource instanceof org.apache.commons.dbcp.BasicDataSource pool ? new DbcpAdapter(pool) : null;
    }

    private static @Nullable PoolAdapter proxool(DataSource dataSource) {
        return dataSource instanceof org.logicalcobwebs.proxool.ProxoolDataSource pool
                ? new ProxoolAdapter(pool)
                : null;
    }

    @SuppressWarnings("deprecation") // supports users of PostgreSQL's deprecated pool
    private static @Nullable PoolAdapter postgres(DataSource dataSource) {
        return dataSource instanceof org.postgresql.ds.PGPoolingDataSource pool ? new PgPoolingAdapter(pool) : null;
    }

    private static @Nullable PoolAdapter mariaDb(DataSource dataSource) {
        return dataSource instanceof org.mariadb.jdbc.MariaDbPoolDataSource pool ? new MariaDbAdapter(pool) : null;
    }

    private static @Nullable PoolAdapter myBatis(DataSource dataSource) {
        return dataSource instanceof org.apache.ibatis.datasource.pooled.PooledDataSource pool
                ? new MyBatisAdapter(pool)
                : null;
    }
}
