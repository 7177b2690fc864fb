// SPDX-License-Identifier: Apache-2.0
/** A pool as a member of a fleet: when it sends a renewal, and its limit while the store does not answer. */
@NullMarked
package io.flexpool.fleet.engine;

import org.jspecify.annotations.NullMarked;
