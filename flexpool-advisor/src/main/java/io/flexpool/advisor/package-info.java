// SPDX-License-Identifier: Apache-2.0
/**
 * How many connections a pool needs, from what its requests did: a {@link io.flexpool.advisor.LeaseTrace} is replayed with
 * other sizes, and {@link io.flexpool.advisor.Advisor} recommends one, with the curve and with what it could not know.
 */
@NullMarked
package io.flexpool.advisor;

import org.jspecify.annotations.NullMarked;
