// SPDX-License-Identifier: Apache-2.0
/** Small runs of every scenario: shapes and counts, never times; and the boundaries of all modules. */
@NullMarked
package io.flexpool.benchmarks;

import org.jspecify.annotations.NullMarked;
