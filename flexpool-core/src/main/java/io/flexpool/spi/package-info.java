// SPDX-License-Identifier: Apache-2.0
/** For tools and tests: all pools of the application. */
@NullMarked
package io.flexpool.spi;

import org.jspecify.annotations.NullMarked;
