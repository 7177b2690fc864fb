// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.flexpool.benchmarks.decorations;

import org.jspecify.annotations.NullMarked;
