// SPDX-License-Identifier: Apache-2.0
/** The server view for MySQL 8 and 9 and MariaDB 10.6 to 12. */
@NullMarked
package io.flexpool.server.mysql;

import org.jspecify.annotations.NullMarked;
