// SPDX-License-Identifier: Apache-2.0
/** What PostgreSQL does with the connections that an application holds; PostgreSQL 12 to 18. */
@NullMarked
package io.flexpool.server.postgresql;

import org.jspecify.annotations.NullMarked;
