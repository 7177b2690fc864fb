// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.sizing.SizingPolicy;
import io.flexpool.internal.sizing.SizingSettings;
import io.flexpool.pool.PoolMode;
import java.util.function.Function;

/**
 * What the user chose of the sizing controller.
 *
 * @param mode the mode to start in
 * @param ceilingKnown whether there is a ceiling, without which nothing can act
 * @param aboveCeiling whether a ceiling given at run time may be above the configured one
 * @param settings the controller's own
 * @param controller makes the controller, for the mode to start in
 */
public record SizingConfig(
        PoolMode mode,
        boolean ceilingKnown,
        boolean aboveCeiling,
        SizingSettings settings,
        Function<PoolMode, SizingPolicy> controller) {}
