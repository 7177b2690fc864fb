// SPDX-License-Identifier: Apache-2.0
/** What to do when the pool would not give a connection. */
@NullMarked
package io.flexpool.strategy;

import org.jspecify.annotations.NullMarked;
