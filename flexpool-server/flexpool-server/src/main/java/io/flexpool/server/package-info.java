// SPDX-License-Identifier: Apache-2.0
/**
 * The service provider interface for database servers: it shows what a server does with the sessions that an
 * application holds. A provider finds the id of a session and takes one look at the server; flexpool decides when to look,
 * and what follows.
 */
@NullMarked
package io.flexpool.server;

import org.jspecify.annotations.NullMarked;
