// SPDX-License-Identifier: Apache-2.0
/** What runs in a class loader of its own: the statement path's workload, its stub driver, its ideal delegates. */
@NullMarked
package io.flexpool.benchmarks.statementpath.isolated;

import org.jspecify.annotations.NullMarked;
