// SPDX-License-Identifier: Apache-2.0
/** Atomikos. */
@NullMarked
package io.flexpool.adapter.atomikos;

import org.jspecify.annotations.NullMarked;
