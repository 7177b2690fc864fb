// SPDX-License-Identifier: Apache-2.0
/** What one getConnection() and close() cost after each commit that changed their code. */
@NullMarked
package io.flexpool.benchmarks.ledger;

import org.jspecify.annotations.NullMarked;
