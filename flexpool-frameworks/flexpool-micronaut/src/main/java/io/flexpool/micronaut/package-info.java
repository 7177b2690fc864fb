// SPDX-License-Identifier: Apache-2.0
/** Wraps the pools of a Micronaut application; active if on the class path. */
@NullMarked
package io.flexpool.micronaut;

import org.jspecify.annotations.NullMarked;
