// SPDX-License-Identifier: Apache-2.0
/** The pools side by side, as Druid's comparison of 2013 had them. */
@NullMarked
package io.flexpool.benchmarks.shootout;

import org.jspecify.annotations.NullMarked;
