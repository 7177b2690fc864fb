// SPDX-License-Identifier: Apache-2.0
/**
 * The metrics backend {@code slf4j}: a summary line of each pool in each period, and lines for slow acquisitions and long
 * leases. The lines that a pool logs without a backend are those of the packages that decide them.
 */
@NullMarked
package io.flexpool.internal.log;

import org.jspecify.annotations.NullMarked;
