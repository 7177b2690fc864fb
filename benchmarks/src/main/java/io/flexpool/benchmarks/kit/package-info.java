// SPDX-License-Identifier: Apache-2.0
/** What all scenarios share: databases, pools, options, progress, tables, the JSON file. */
@NullMarked
package io.flexpool.benchmarks.kit;

import org.jspecify.annotations.NullMarked;
