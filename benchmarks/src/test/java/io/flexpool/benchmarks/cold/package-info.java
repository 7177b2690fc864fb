// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.flexpool.benchmarks.cold;

import org.jspecify.annotations.NullMarked;
