// SPDX-License-Identifier: Apache-2.0
/** Sizing controllers side by side on a real database and real pools. */
@NullMarked
package io.flexpool.benchmarks.adaptive;

import org.jspecify.annotations.NullMarked;
