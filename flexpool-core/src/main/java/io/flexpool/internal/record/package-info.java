// SPDX-License-Identifier: Apache-2.0
/**
 * Counters and histograms of acquisitions and leases, and their history. Readers and conclusions are in other packages.
 */
@NullMarked
package io.flexpool.internal.record;

import org.jspecify.annotations.NullMarked;
