// SPDX-License-Identifier: Apache-2.0
/** c3p0, 0.12 and later. */
@NullMarked
package io.flexpool.adapter.c3p0;

import org.jspecify.annotations.NullMarked;
