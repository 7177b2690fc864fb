// SPDX-License-Identifier: Apache-2.0
/**
 * The parts of the fault contract and the soak: threads that request connections, simulated faults, and their
 * observations. No API.
 */
@NullMarked
package io.flexpool.adapter.tck.faults;

import org.jspecify.annotations.NullMarked;
