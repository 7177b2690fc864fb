// SPDX-License-Identifier: Apache-2.0
/** HikariCP, 6.x and 7.x. */
@NullMarked
package io.flexpool.adapter.hikaricp;

import org.jspecify.annotations.NullMarked;
