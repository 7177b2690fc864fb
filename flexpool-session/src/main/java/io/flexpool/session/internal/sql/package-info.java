// SPDX-License-Identifier: Apache-2.0
/**
 * Classifies the text of an SQL statement by its effect on the session. Pure functions of the text: no JDBC and no pool.
 * Not exported.
 */
@NullMarked
package io.flexpool.session.internal.sql;

import org.jspecify.annotations.NullMarked;
