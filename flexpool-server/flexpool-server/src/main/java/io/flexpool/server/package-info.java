// SPDX-License-Identifier: Apache-2.0
/**
 * The service provider interface for database servers: it shows the server's state of an application's sessions. A
 * provider finds the id of a session and queries the server; flexpool decides when to query, and uses the result.
 */
@NullMarked
package io.flexpool.server;

import org.jspecify.annotations.NullMarked;
