// SPDX-License-Identifier: Apache-2.0
/** The command line; one package per scenario below it, and {@code kit} for what they share. */
@NullMarked
package io.flexpool.benchmarks;

import org.jspecify.annotations.NullMarked;
