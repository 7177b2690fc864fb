// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.virtualthreads;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import java.util.Locale;
import javax.sql.DataSource;

/** What the threads ask for a connection. */
public enum Variant {
    /** HikariCP by itself: those that wait do so inside it. */
    BARE {
        @Override
        Open over(HikariDataSource pool) {
            return new Open(pool, pool::close);
        }
    },
    /** HikariCP, watched by flexpool: those that wait do so inside HikariCP. */
    WATCHED {
        @Override
        Open over(HikariDataSource pool) {
            return wrapped(FlexPool.wrap(pool).name(name()).build());
        }
    },
    /** HikariCP behind flexpool's gate with as many permits as it has connections: nothing waits inside HikariCP. */
    GATED {
        @Override
        Open over(HikariDataSource pool) {
            return wrapped(FlexPool.wrap(pool)
                    .name(name())
                    .set("base", pool.getMaximumPoolSize())
                    .build());
        }
    };

    abstract Open over(HikariDataSource pool);

    private static Open wrapped(FlexPoolDataSource pool) {
        return new Open(pool, pool::close);
    }

    /** A pool with so many connections, which opens them when it is first used. */
    Open open(DataSource driver, int connections) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(driver);
        pool.setMaximumPoolSize(connections);
        return over(pool);
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * An open pool.
     *
     * @param source where connections come from
     * @param closing ends the pool
     */
    record Open(DataSource source, Runnable closing) implements AutoCloseable {
        @Override
        public void close() {
            closing.run();
        }
    }
}
