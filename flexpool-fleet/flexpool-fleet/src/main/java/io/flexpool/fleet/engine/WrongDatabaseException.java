// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import java.sql.SQLException;

/** A fleet's store is in the pool's database, and the database is of another kind. */
public final class WrongDatabaseException extends SQLException {
    private static final long serialVersionUID = 1L;

    private final String words;

    /**
     * Names both kinds.
     *
     * @param product the name of the database's product, on one line
     * @param store the value of the key {@code flexpool.fleet}
     * @param cause the refusal of the first statement
     */
    public WrongDatabaseException(String product, String store, SQLException cause) {
        super(cause);
        this.words = "the pool's database is " + product + ", so flexpool.fleet must not be " + store;
    }

    /** The reason, without the cause, whose message may contain a password. */
    String words() {
        return words;
    }
}
