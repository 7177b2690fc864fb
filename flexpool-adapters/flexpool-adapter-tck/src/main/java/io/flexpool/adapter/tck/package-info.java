// SPDX-License-Identifier: Apache-2.0
/** The contract every adapter passes, and what it is tried against. */
@NullMarked
package io.flexpool.adapter.tck;

import org.jspecify.annotations.NullMarked;
