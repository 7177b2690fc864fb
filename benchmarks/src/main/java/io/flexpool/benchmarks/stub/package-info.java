// SPDX-License-Identifier: Apache-2.0
/** A JDBC driver that does as little as a pool lets it. */
@NullMarked
package io.flexpool.benchmarks.stub;

import org.jspecify.annotations.NullMarked;
