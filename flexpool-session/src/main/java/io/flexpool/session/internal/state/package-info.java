// SPDX-License-Identifier: Apache-2.0
/**
 * The session state that a lease leaves behind, from the verdicts on its statements and the ends of its transactions; and
 * the SQL that resets it. No JDBC. Not exported.
 */
@NullMarked
package io.flexpool.session.internal.state;

import org.jspecify.annotations.NullMarked;
