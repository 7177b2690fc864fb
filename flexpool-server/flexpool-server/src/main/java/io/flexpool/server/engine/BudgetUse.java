// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

/** When the server is asked how many sessions it has left. */
enum BudgetUse {
    /** At the start and each minute where another part needs it, as in a fleet; else only by the looks that failures cause. */
    AUTO,
    /** At the start and each minute. */
    ALWAYS,
    OFF
}
