// SPDX-License-Identifier: Apache-2.0
/** More clients than connections, without a pause: how long requests wait, and who waits longest. */
@NullMarked
package io.flexpool.benchmarks.tail;

import org.jspecify.annotations.NullMarked;
