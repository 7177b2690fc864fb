// SPDX-License-Identifier: Apache-2.0
/** The contract that every {@link io.flexpool.server.ServerViewProvider} passes, on a real server. */
@NullMarked
package io.flexpool.server.tck;

import org.jspecify.annotations.NullMarked;
