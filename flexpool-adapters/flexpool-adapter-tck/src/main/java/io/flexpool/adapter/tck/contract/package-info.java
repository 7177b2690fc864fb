// SPDX-License-Identifier: Apache-2.0
/** The contract that every adapter passes, and what its tests extend. The API of this artifact; the packages beside it are not. */
@NullMarked
package io.flexpool.adapter.tck.contract;

import org.jspecify.annotations.NullMarked;
