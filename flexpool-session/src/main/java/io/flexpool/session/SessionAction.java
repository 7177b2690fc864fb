// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

/** The action on a connection that returns to its pool with session state: the key {@code session-state}. */
public enum SessionAction {
    /** No action; statements are not inspected. */
    OFF,
    /** Logs the state and counts it; the next borrower inherits it. */
    REPORT,
    /** Resets the state, and closes the connection if the reset fails. */
    RESET,
    /** Closes the connection. */
    DISCARD
}
