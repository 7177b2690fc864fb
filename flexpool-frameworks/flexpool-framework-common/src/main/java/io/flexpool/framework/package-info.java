// SPDX-License-Identifier: Apache-2.0
/**
 * What the modules for frameworks share, so that each of them has only what its framework alone knows. For such modules, not for
 * applications.
 *
 * <ul>
 *   <li>{@link io.flexpool.framework.WrittenKey}, {@link io.flexpool.framework.KnownKeys}, {@link
 *       io.flexpool.framework.ApplicationKeys}: the framework reads its configuration; here the keys are matched with core's in any
 *       spelling, refused with their origin, and passed to the builder of each pool.
 *   <li>{@link io.flexpool.framework.NestedKeys}: a nested section, as YAML has it, as keys.
 *   <li>{@link io.flexpool.framework.NamedPool}, {@link io.flexpool.framework.WrappedPools}: which name a pool has, and which pools
 *       an application has.
 * </ul>
 */
@NullMarked
package io.flexpool.framework;

import org.jspecify.annotations.NullMarked;
