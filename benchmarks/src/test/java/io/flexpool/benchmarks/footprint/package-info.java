// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.flexpool.benchmarks.footprint;

import org.jspecify.annotations.NullMarked;
