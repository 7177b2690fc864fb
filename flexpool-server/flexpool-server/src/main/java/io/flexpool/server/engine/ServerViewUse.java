// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

/** When flexpool queries the server on its diagnostic connection. */
enum ServerViewUse {
    /** After failures; also at the start and each minute if another part needs the result, as in a fleet. */
    AUTO,
    /** After failures, at the start and each minute. */
    ALWAYS,
    OFF
}
