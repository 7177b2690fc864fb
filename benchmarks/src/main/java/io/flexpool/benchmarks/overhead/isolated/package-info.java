// SPDX-License-Identifier: Apache-2.0
/** What each variant loads in a class loader of its own; reached through JDK types only. */
@NullMarked
package io.flexpool.benchmarks.overhead.isolated;

import org.jspecify.annotations.NullMarked;
