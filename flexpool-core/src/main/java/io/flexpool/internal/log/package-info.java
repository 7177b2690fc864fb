// SPDX-License-Identifier: Apache-2.0
/**
 * The metrics backend {@code slf4j}: a summary line of each pool in each period, and lines for slow acquisitions and
 * long leases. Lines that a pool logs without a backend are in the packages that decide them.
 */
@NullMarked
package io.flexpool.internal.log;

import org.jspecify.annotations.NullMarked;
