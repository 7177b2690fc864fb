// SPDX-License-Identifier: Apache-2.0
/**
 * Everything that moves a limit, and the controller's windows and decisions. How a limit is kept is the gate's business, and
 * the law by which the controller decides is {@code sizing}.
 */
@NullMarked
package io.flexpool.internal.resize;

import org.jspecify.annotations.NullMarked;
