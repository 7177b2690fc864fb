// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.sql;

/** One step of a statement: an effect on the session's state, or the start or end of a transaction or savepoint. */
public sealed interface Step permits Effect, TransactionStep {}
