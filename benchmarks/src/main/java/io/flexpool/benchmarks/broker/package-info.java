// SPDX-License-Identifier: Apache-2.0
/**
 * Messages through an embedded broker, the scenarios {@code broker} and {@code persistence}: what a pool under the
 * broker is worth, and what durable delivery costs. Both are one scenario; they differ in the {@code Form} in which
 * messages pass through the broker, in their stores and in what was published of them.
 */
@NullMarked
package io.flexpool.benchmarks.broker;

import org.jspecify.annotations.NullMarked;
