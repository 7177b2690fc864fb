// SPDX-License-Identifier: Apache-2.0
/**
 * Configuration: every key of core, its sources and checks, and the checked values of a pool. The effect of a value
 * belongs to the package that uses it; keys of metrics backends belong to their modules.
 *
 * <p>Also the discovery of adapters, parts and metrics backends on the class path, and the adapter for other pools: the
 * configuration is checked against their declarations.
 */
@NullMarked
package io.flexpool.internal.config;

import org.jspecify.annotations.NullMarked;
