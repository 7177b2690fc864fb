// SPDX-License-Identifier: Apache-2.0
/** Sizing controllers against a modelled pool and database, in virtual time. */
@NullMarked
package io.flexpool.benchmarks.simulate;

import org.jspecify.annotations.NullMarked;
