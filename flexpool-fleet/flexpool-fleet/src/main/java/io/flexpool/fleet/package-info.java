// SPDX-License-Identifier: Apache-2.0
/**
 * The service provider interface for fleets: several pools, usually of several instances of an application, that share
 * one number of connections. A store records the connections of each member. flexpool schedules the renewals and
 * applies the answers.
 */
@NullMarked
package io.flexpool.fleet;

import org.jspecify.annotations.NullMarked;
