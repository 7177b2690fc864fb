// SPDX-License-Identifier: Apache-2.0
/** The first thousands of calls of a fresh JVM, before the compiler has done its work. */
@NullMarked
package io.flexpool.benchmarks.cold;

import org.jspecify.annotations.NullMarked;
