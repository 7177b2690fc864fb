// SPDX-License-Identifier: Apache-2.0
package io.flexpool.diagnostics;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the database server does with the connection of a lease, as a part of flexpool read it. Immutable; a picture of one
 * moment. Made by a part alone; minor releases add methods.
 */
public interface SessionState {
    /** {@return whether a statement runs, and does not wait for the application to read rows or to send data} */
    boolean works();

    /** {@return whether no statement runs, in a transaction or not} */
    boolean idles();

    /** {@return for how long it has been so; null if unknown} */
    @Nullable
    Duration inState();

    /**
     * The state in words.
     *
     * @return a clause, for example {@code idle in transaction for 3.0 s}; foreign text, to be shown as plain text only
     */
    String describe();

    /** {@return the same by name, for JSON: texts, numbers, and lists of them; without a password} */
    Map<String, Object> fields();
}
