// SPDX-License-Identifier: Apache-2.0
/**
 * Counters and histograms that acquisitions and leases are recorded in, and their past. Whoever reads them, and what is
 * concluded from them, lives elsewhere.
 */
@NullMarked
package io.flexpool.internal.record;

import org.jspecify.annotations.NullMarked;
