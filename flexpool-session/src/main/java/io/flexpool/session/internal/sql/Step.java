// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.sql;

/** One thing that a statement does to its session: an effect on its state, or the start or end of a transaction. */
public sealed interface Step permits Effect, TransactionStep {}
