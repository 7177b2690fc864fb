// SPDX-License-Identifier: Apache-2.0
/** What every variant loads anew in a class loader of its own: the timed slice and the stub driver. */
@NullMarked
package io.flexpool.benchmarks.paired.isolated;

import org.jspecify.annotations.NullMarked;
