// SPDX-License-Identifier: Apache-2.0
/**
 * Configuration: every key of core, where it is read from, how it is checked, and the checked values that a pool is built with. What a
 * value does once it is checked belongs to the room that uses it; keys of metrics backends belong to their modules.
 *
 * <p>Also the discovery of adapters, parts and metrics backends on the class path, and the adapter for a pool that has none: the
 * configuration is checked against what they declare.
 */
@NullMarked
package io.flexpool.internal.config;

import org.jspecify.annotations.NullMarked;
