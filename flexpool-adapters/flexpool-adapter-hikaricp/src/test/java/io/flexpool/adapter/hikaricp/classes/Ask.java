// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp.classes;

/**
 * A request for a connection. Times in seconds.
 *
 * @param at when it is made, since the load began
 * @param kind {@link Sharing#INTERACTIVE} or {@link Sharing#BATCH}
 * @param tenant the number of the tenant, from 0
 * @param work how long its lease lasts
 * @param deadline how long after {@code at} its caller still has a use for a connection
 */
record Ask(double at, String kind, int tenant, double work, double deadline) {}
