// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import io.flexpool.monitoring.PoolHealth;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** What every pool of the application is bound to. */
@Factory
final class Backends {
    /** Listens to the pools' failures. */
    @Singleton
    PoolHealth flexPoolHealth() {
        return new PoolHealth();
    }
}
