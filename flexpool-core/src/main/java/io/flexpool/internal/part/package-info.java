// SPDX-License-Identifier: Apache-2.0
/** The parts of one pool: made, called in their order, and guarded. */
@NullMarked
package io.flexpool.internal.part;

import org.jspecify.annotations.NullMarked;
