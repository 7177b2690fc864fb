// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

/** When the server is queried, on a connection of flexpool's own. */
enum ServerViewUse {
    /** After failures; at the start and each minute where another part needs it, as in a fleet. */
    AUTO,
    /** After failures, at the start and each minute. */
    ALWAYS,
    OFF
}
