// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.flexpool.benchmarks.shootout;

import org.jspecify.annotations.NullMarked;
