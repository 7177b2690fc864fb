// SPDX-License-Identifier: Apache-2.0
/** For frameworks, tools and tests: all pools, their open leases in detail, and configuration with its origin. */
@NullMarked
package io.flexpool.spi;

import org.jspecify.annotations.NullMarked;
