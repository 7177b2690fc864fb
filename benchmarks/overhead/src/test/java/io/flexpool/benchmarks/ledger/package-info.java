// SPDX-License-Identifier: Apache-2.0
/** The ledger of the hot path. */
@NullMarked
package io.flexpool.benchmarks.ledger;

import org.jspecify.annotations.NullMarked;
