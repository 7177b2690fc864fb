// SPDX-License-Identifier: Apache-2.0
/** What one getConnection() and close() costs on top of the bare pool. */
@NullMarked
package io.flexpool.benchmarks.overhead;

import org.jspecify.annotations.NullMarked;
