// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import io.flexpool.framework.PoolHealth;
import io.flexpool.framework.WrappedPools;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;

/** Creates beans of types from other modules. */
@Factory
final class Beans {
    /** The health of the pools. */
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
