// SPDX-License-Identifier: Apache-2.0
/** A pool as a member of a fleet: when it asks for a grant, and what it may hold while the store does not answer. */
@NullMarked
package io.flexpool.fleet.engine;

import org.jspecify.annotations.NullMarked;
