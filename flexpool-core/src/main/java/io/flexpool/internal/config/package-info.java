// SPDX-License-Identifier: Apache-2.0
/**
 * Configuration: every key of core, where it is read from, how it is checked, and the checked values that a pool is built with. What a
 * value does once it is checked belongs to the room that uses it; keys of metrics backends belong to their modules.
 */
@NullMarked
package io.flexpool.internal.config;

import org.jspecify.annotations.NullMarked;
