// SPDX-License-Identifier: Apache-2.0
package io.flexpool.hibernate;

import java.util.List;
import org.hibernate.boot.registry.selector.SimpleStrategyRegistrationImpl;
import org.hibernate.boot.registry.selector.StrategyRegistration;
import org.hibernate.boot.registry.selector.StrategyRegistrationProvider;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;

/** Registers the connection provider's short name in Hibernate's settings: {@code flexpool}. Found by Hibernate. */
public final class FlexPoolStrategy implements StrategyRegistrationProvider {
    /** Called by {@link java.util.ServiceLoader}. */
    public FlexPoolStrategy() {}

    /** {@return the short name with the provider's class} */
    @Override
    @SuppressWarnings("rawtypes") // Hibernate 6's signature; Hibernate 7's has a wildcard
    public Iterable<StrategyRegistration> getStrategyRegistrations() {
        return List.of(new SimpleStrategyRegistrationImpl<>(
                ConnectionProvider.class,
                FlexPoolConnectionProvider.class,
                FlexPoolConnectionProvider.NAME,
                FlexPoolConnectionProvider.class.getSimpleName()));
    }
}
