// SPDX-License-Identifier: Apache-2.0
/** Wraps a pool: what most users see. */
@NullMarked
package io.flexpool;

import org.jspecify.annotations.NullMarked;
