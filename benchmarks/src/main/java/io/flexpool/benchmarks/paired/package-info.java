// SPDX-License-Identifier: Apache-2.0
/** Variants compared in pairs: slices in random order, differences to the bare pool of the same round. */
@NullMarked
package io.flexpool.benchmarks.paired;

import org.jspecify.annotations.NullMarked;
