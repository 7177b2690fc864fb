// SPDX-License-Identifier: Apache-2.0
/**
 * A pool in virtual time, for the advisor and for the benchmarks' simulator. Not for applications: may change at any
 * time.
 */
@NullMarked
package io.flexpool.advisor.replay;

import org.jspecify.annotations.NullMarked;
