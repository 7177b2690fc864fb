// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.pools;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.metrics.opentelemetry.OpenTelemetryMetrics;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/** A program beside OpenTelemetry's Java agent, which exports all metrics when the program ends. */
final class AgentProgram {
    private AgentProgram() {}

    /**
     * Uses pools and ends.
     *
     * @param args whether to repeat the agent's metrics, then the names of pools
     */
    public static void main(String[] args) throws Exception {
        OpenTelemetryMetrics metrics = OpenTelemetryMetrics.global();
        if (Boolean.parseBoolean(args[0])) {
            metrics = metrics.repeatingAgent().withConnectionMax();
        }
        List<String> wanted = List.of(args).subList(1, args.length);
        for (PoolExamplesTest.Example example : PoolExamplesTest.examples().toList()) {
            if (wanted.contains(database(example))) {
                use(pool(example), database(example), metrics);
            }
        }
        // The pools stay open, because a closed pool exports no metrics.
        System.exit(0);
    }

    /** By this name the agent shows a pool that has no name. */
    private static String database(PoolExamplesTest.Example example) {
        return example.pool().replace(" ", "").toLowerCase(Locale.ROOT);
    }

    private static DataSource pool(PoolExamplesTest.Example example) throws Exception {
        FlexPoolDataSource wrapped = example.wrapped().of("jdbc:h2:mem:" + database(example));
        DataSource pool = wrapped.unwrap(example.type());
        OpenPools.release(wrapped, null);
        return pool;
    }

    private static void use(DataSource pool, String name, OpenTelemetryMetrics metrics) throws Exception {
        FlexPoolDataSource wrapped =
                FlexPool.wrap(pool).name(name).metrics(metrics).build();
        first(wrapped).close();
        for (int lease = 1; lease < 3; lease++) {
            Connection connection = wrapped.getConnection();
            connection.close();
        }
        wrapped.getConnection();
        if (pool instanceof HikariDataSource hikari) {
            timeOut(wrapped, hikari);
        }
    }

    /** The agent exports timeouts of HikariCP only, and only after the first one. */
    private static void timeOut(DataSource wrapped, HikariDataSource hikari) {
        hikari.setConnectionTimeout(250);
        try {
            for (int lease = 0; lease < 1_000; lease++) {
                wrapped.getConnection();
            }
        } catch (SQLException timeout) {
            return;
        }
        throw new IllegalStateException("no request timed out");
    }

    /** On a busy machine the first connect of a JVM may take longer than the examples' pools wait. */
    private static Connection first(DataSource pool) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return pool.getConnection();
            } catch (SQLException late) {
                if (attempt == 20) {
                    throw late;
                }
            }
        }
    }
}
