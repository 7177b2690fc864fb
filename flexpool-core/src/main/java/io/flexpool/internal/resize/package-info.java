// SPDX-License-Identifier: Apache-2.0
/**
 * Changes limits, and supplies the controller's windows and stores its decisions. The gate enforces a limit;
 * {@code sizing} has the law by which the controller decides.
 */
@NullMarked
package io.flexpool.internal.resize;

import org.jspecify.annotations.NullMarked;
