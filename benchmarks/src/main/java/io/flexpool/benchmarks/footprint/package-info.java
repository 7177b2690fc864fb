// SPDX-License-Identifier: Apache-2.0
/** What a wrapped pool costs that is built and not used: its start, its memory, its processor time. */
@NullMarked
package io.flexpool.benchmarks.footprint;

import org.jspecify.annotations.NullMarked;
