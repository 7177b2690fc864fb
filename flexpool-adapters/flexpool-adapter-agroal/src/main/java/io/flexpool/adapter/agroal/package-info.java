// SPDX-License-Identifier: Apache-2.0
/** Agroal, 2 and 3. */
@NullMarked
package io.flexpool.adapter.agroal;

import org.jspecify.annotations.NullMarked;
