// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.sql;

import org.jspecify.annotations.Nullable;

/**
 * A change of the session's state: a statement sets or removes state. Immutable.
 *
 * @param kind the kind of the state
 * @param name the name within the kind: of a setting, table or channel, or the arguments of a lock as written. Null if
 *     the kind has no names, or the text does not show the name. A removal without a name removes all state of the kind
 * @param sets true if it sets state, false if it removes state
 * @param undone whether a rollback of the transaction undoes it
 * @param untilEnd whether the state ends with its transaction
 */
public record Effect(Kind kind, @Nullable String name, boolean sets, boolean undone, boolean untilEnd) implements Step {
    /** The kinds of session state. */
    public enum Kind {
        ROLE,
        SESSION_AUTHORIZATION,
        SETTING,
        SEARCH_PATH,
        TIME_ZONE,
        TIMEOUT,
        ADVISORY_LOCK,
        TEMP_TABLE,
        LISTEN,
        PREPARED,
        HOLD_CURSOR,
        LIBRARY,
        TABLE_LOCK,
        USER_VARIABLE,
        HANDLER,
        DATABASE;

        /** {@return whether {@code RESET ALL} resets it} */
        public boolean isSetting() {
            return this == SETTING || this == SEARCH_PATH || this == TIME_ZONE || this == TIMEOUT;
        }
    }

    /**
     * Whether this effect removes state of a kind and name.
     *
     * @param otherKind the kind of the state
     * @param otherName its name, or null
     * @return false if the state stays
     */
    public boolean takes(Kind otherKind, @Nullable String otherName) {
        if (sets) {
            return false;
        }
        if (name == null) {
            return kind == otherKind || (kind == Kind.SETTING && otherKind.isSetting());
        }
        return kind == otherKind && name.equals(otherName);
    }
}
