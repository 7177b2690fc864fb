// SPDX-License-Identifier: Apache-2.0
/** What every variant loads anew in its own class loader: the timed slice. */
@NullMarked
package io.flexpool.benchmarks.paired.isolated;

import org.jspecify.annotations.NullMarked;
