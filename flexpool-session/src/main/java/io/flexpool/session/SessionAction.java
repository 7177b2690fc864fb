// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

/** What flexpool does with a connection that comes back to its pool with session state: the key {@code session-state}. */
public enum SessionAction {
    /** Nothing; statements are not inspected. */
    OFF,
    /** Logs the state and counts it; the next borrower inherits it. */
    REPORT,
    /** Resets what was left, and closes the connection if that fails. */
    RESET,
    /** Closes the connection. */
    DISCARD
}
