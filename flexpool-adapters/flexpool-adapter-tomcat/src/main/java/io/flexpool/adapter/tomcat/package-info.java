// SPDX-License-Identifier: Apache-2.0
/** Tomcat JDBC, 9 to 11. */
@NullMarked
package io.flexpool.adapter.tomcat;

import org.jspecify.annotations.NullMarked;
