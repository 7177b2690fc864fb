// SPDX-License-Identifier: Apache-2.0
/** Makes a pool a member of a fleet: schedules renewals, and limits the pool while the store does not answer. */
@NullMarked
package io.flexpool.fleet.engine;

import org.jspecify.annotations.NullMarked;
