// SPDX-License-Identifier: Apache-2.0
/** Runs in its own class loader: the statement path's workload, its stub driver, its ideal delegates. */
@NullMarked
package io.flexpool.benchmarks.statementpath.isolated;

import org.jspecify.annotations.NullMarked;
