// SPDX-License-Identifier: Apache-2.0
/** What MySQL or MariaDB does with the connections that an application holds; MySQL 8 and 9, MariaDB 10.6 to 12. */
@NullMarked
package io.flexpool.server.mysql;

import org.jspecify.annotations.NullMarked;
