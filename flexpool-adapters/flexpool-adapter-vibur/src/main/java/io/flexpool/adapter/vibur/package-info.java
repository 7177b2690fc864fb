// SPDX-License-Identifier: Apache-2.0
/** Vibur. */
@NullMarked
package io.flexpool.adapter.vibur;

import org.jspecify.annotations.NullMarked;
