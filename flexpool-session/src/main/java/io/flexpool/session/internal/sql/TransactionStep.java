// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.sql;

import org.jspecify.annotations.Nullable;

/**
 * A statement that starts or ends a transaction or a savepoint. Immutable.
 *
 * @param control the statement
 * @param savepoint the savepoint's name; null for a whole transaction
 */
public record TransactionStep(Control control, @Nullable String savepoint) implements Step {
    /** The statements that control transactions. */
    public enum Control {
        BEGIN,
        COMMIT,
        COMMIT_CHAIN,
        ROLLBACK,
        ROLLBACK_CHAIN,
        SAVEPOINT,
        ROLLBACK_TO,
        RELEASE
    }
}
