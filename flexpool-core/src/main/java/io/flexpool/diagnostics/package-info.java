// SPDX-License-Identifier: Apache-2.0
/** Why a pool is as it is: who holds connections, where they are used, why a request failed, what was decided. */
@NullMarked
package io.flexpool.diagnostics;

import org.jspecify.annotations.NullMarked;
