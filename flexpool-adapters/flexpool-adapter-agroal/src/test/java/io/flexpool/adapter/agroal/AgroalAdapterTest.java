// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.agroal;

import static org.assertj.core.api.Assertions.assertThat;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.AgroalConnectionPoolConfiguration.ConnectionValidator;
import io.agroal.api.configuration.supplier.AgroalConnectionPoolConfigurationSupplier;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.flexpool.adapter.Capability;
import io.flexpool.adapter.tck.PoolAdapterContract;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class AgroalAdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        return agroal(database, max, timeout, more -> {});
    }

    static AgroalDataSource agroal(
            DataSource database, int max, Duration timeout, Consumer<AgroalDataSourceConfigurationSupplier> more) {
        AgroalConnectionPoolConfigurationSupplier pool = new AgroalConnectionPoolConfigurationSupplier()
                .maxSize(max)
                .acquisitionTimeout(timeout)
                .connectionValidator(ConnectionValidator.defaultValidator())
                // As near to a validation of each borrow as both versions come.
                .idleValidationTimeout(Duration.ofNanos(1))
                .connectionFactoryConfiguration(factory -> factory.connectionProviderClass(StubProvider.class)
                        .jdbcProperty("database", StubProvider.nameOf(database)));
        AgroalDataSourceConfigurationSupplier configuration = new AgroalDataSourceConfigurationSupplier()
                .metricsEnabled()
                .connectionPoolConfiguration(pool);
        more.accept(configuration);
        try {
            return AgroalDataSource.from(configuration);
        } catch (SQLException noSuchImplementation) {
            throw new IllegalStateException(noSuchImplementation);
        }
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLException.class;
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of(
                Capability.LIVE_RESIZE,
                Capability.WAKE,
                Capability.EXACT_TRIM,
                Capability.PHYSICAL_FOLLOWS_LIMIT,
                Capability.PENDING_COUNT);
    }

    @Override
    protected String maxSizeKey() {
        return "maxSize";
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(2);
    }

    /** The second run of this class is to be on the oldest line; a class path that forgot to change would hide that. */
    @Test
    void runsOnTheVersionThatTheBuildSays() {
        String jar = io.agroal.pool.DataSource.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        assertThat(jar).contains("agroal-pool-" + System.getProperty("expected.pool.version"));
    }
}
