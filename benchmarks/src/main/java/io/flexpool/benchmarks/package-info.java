// SPDX-License-Identifier: Apache-2.0
/** The command line, and what all scenarios share: databases, pools, the report. */
@NullMarked
package io.flexpool.benchmarks;

import org.jspecify.annotations.NullMarked;
