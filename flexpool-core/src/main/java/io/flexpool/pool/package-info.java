// SPDX-License-Identifier: Apache-2.0
/**
 * What a pool is at one moment, and the words that all other packages share. Depends on no other exported package.
 *
 * <p>What is unknown has one form by its type, in all packages of flexpool: a count is {@link PoolSnapshot#UNKNOWN}, a
 * {@code double} is NaN, and anything else is null.
 */
@NullMarked
package io.flexpool.pool;

import org.jspecify.annotations.NullMarked;
