// SPDX-License-Identifier: Apache-2.0
/**
 * The service provider interface for fleets: several pools, as a rule of several instances of an application, that share one
 * number of connections. A store keeps what each member holds; flexpool decides when a member asks, and what it does with the
 * answer.
 */
@NullMarked
package io.flexpool.fleet;

import org.jspecify.annotations.NullMarked;
