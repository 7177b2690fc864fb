// SPDX-License-Identifier: Apache-2.0
/** What durable delivery costs, over four shapes of load and several stores. */
@NullMarked
package io.flexpool.benchmarks.persistence;

import org.jspecify.annotations.NullMarked;
