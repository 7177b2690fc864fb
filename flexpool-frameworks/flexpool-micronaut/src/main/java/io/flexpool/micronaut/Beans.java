// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import io.flexpool.framework.PoolHealth;
import io.flexpool.framework.WrappedPools;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** The beans of the application that are not of this module's types. */
@Factory
final class Beans {
    /** Listens to the pools' failures. */
    @Singleton
    PoolHealth flexPoolHealth() {
        return new PoolHealth();
    }

    /** The pools of one application context. */
    @Singleton
    WrappedPools flexPools() {
        return new WrappedPools();
    }
}
