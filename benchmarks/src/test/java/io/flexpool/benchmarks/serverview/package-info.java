// SPDX-License-Identifier: Apache-2.0
/** Tests of how situations are staged. */
@NullMarked
package io.flexpool.benchmarks.serverview;

import org.jspecify.annotations.NullMarked;
