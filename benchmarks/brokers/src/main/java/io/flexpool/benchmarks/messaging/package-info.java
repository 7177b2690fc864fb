// SPDX-License-Identifier: Apache-2.0
/** An embedded broker and the stores it can keep its messages in, for the scenarios that send messages. */
@NullMarked
package io.flexpool.benchmarks.messaging;

import org.jspecify.annotations.NullMarked;
