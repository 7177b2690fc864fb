// SPDX-License-Identifier: Apache-2.0
/** Words everyone shares: figures, events, and the seams through which they are read. Depends on no other package. */
@NullMarked
package io.flexpool.pool;

import org.jspecify.annotations.NullMarked;
