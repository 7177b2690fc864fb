// SPDX-License-Identifier: Apache-2.0
/** What a pool is at one moment, and the words that all other packages share. Depends on no other exported package. */
@NullMarked
package io.flexpool.pool;

import org.jspecify.annotations.NullMarked;
