// SPDX-License-Identifier: Apache-2.0
/**
 * Calculates the number of connections that a pool needs: {@link io.flexpool.advisor.Advisor} replays a
 * {@link io.flexpool.advisor.LeaseTrace} with other sizes, and recommends one with the curve and the limits of the
 * evidence.
 */
@NullMarked
package io.flexpool.advisor;

import org.jspecify.annotations.NullMarked;
