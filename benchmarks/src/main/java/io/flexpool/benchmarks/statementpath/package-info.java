// SPDX-License-Identifier: Apache-2.0
/** What one statement and its result set cost on top of the bare pool. */
@NullMarked
package io.flexpool.benchmarks.statementpath;

import org.jspecify.annotations.NullMarked;
