// SPDX-License-Identifier: Apache-2.0
/** Messages through two queues of a broker that keeps them in a database: what a pool under the broker is worth. */
@NullMarked
package io.flexpool.benchmarks.broker;

import org.jspecify.annotations.NullMarked;
