// SPDX-License-Identifier: Apache-2.0
/** Fleets in Redis. */
@NullMarked
package io.flexpool.fleet.redis;

import org.jspecify.annotations.NullMarked;
