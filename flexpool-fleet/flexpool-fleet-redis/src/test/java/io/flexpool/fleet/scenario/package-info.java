// SPDX-License-Identifier: Apache-2.0
/** Pools of several JVMs that share one number of connections, on a real database, while JVMs and the store fail. */
@NullMarked
package io.flexpool.fleet.scenario;

import org.jspecify.annotations.NullMarked;
