// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

/** Whether a server is looked at. */
enum ServerViewUse {
    /** After failures, on a connection of flexpool's own. */
    AUTO,
    OFF
}
