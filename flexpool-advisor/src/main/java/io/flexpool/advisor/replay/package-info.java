// SPDX-License-Identifier: Apache-2.0
/** A pool in virtual time, for the advisor and for the benchmarks' simulator. Not for applications: it changes with them. */
@NullMarked
package io.flexpool.advisor.replay;

import org.jspecify.annotations.NullMarked;
