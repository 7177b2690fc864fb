// SPDX-License-Identifier: Apache-2.0
/** Wraps a pool that stands in a container's naming directory, such as Tomcat's. */
@NullMarked
package io.flexpool.tomcat;

import org.jspecify.annotations.NullMarked;
