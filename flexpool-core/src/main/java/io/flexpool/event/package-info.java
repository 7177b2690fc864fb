// SPDX-License-Identifier: Apache-2.0
/** What happens to a pool, for listeners and as it is remembered. */
@NullMarked
package io.flexpool.event;

import org.jspecify.annotations.NullMarked;
