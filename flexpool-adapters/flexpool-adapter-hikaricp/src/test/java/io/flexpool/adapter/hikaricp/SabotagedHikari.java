// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.adapter.PoolAdapter;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The contract on a broken adapter. Run by {@link SaboteurTest} alone: the name is none that the build takes for a
 * test's, and without the parameter of a run nothing is broken.
 */
@ExtendWith(SabotagedHikari.OfTheRun.class)
class SabotagedHikari extends HikariAdapterTest {
    /** The configuration parameter of a run that names the sabotage. */
    static final String SABOTAGE = "flexpool.sabotage";

    private final Sabotage sabotage;
    private final Queue<HikariDataSource> pools = new ConcurrentLinkedQueue<>();

    SabotagedHikari(Sabotage sabotage) {
        this.sabotage = sabotage;
    }

    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        HikariDataSource pool = (HikariDataSource) super.pool(database, max, timeout);
        pools.add(pool);
        return pool;
    }

    @Override
    protected PoolAdapter adapter(DataSource pool) {
        return sabotage.of(super.adapter(pool));
    }

    @Override
    protected FlexPoolBuilder wrap(DataSource pool) {
        return super.wrap(pool).adapter(sabotage.of(new HikariAdapter((HikariDataSource) pool)));
    }

    /** Sets a run's sabotage, and closes what a broken adapter did not. */
    static final class OfTheRun implements ParameterResolver, AfterEachCallback {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Sabotage.class;
        }

        @Override
        public Sabotage resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getConfigurationParameter(SABOTAGE)
                    .map(Sabotage::valueOf)
                    .orElse(Sabotage.NONE);
        }

        @Override
        public void afterEach(ExtensionContext context) {
            context.getRequiredTestInstances()
                    .findInstance(SabotagedHikari.class)
                    .orElseThrow()
                    .pools
                    .forEach(HikariDataSource::close);
        }
    }
}
