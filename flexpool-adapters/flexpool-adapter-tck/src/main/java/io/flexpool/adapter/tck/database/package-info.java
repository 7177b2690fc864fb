// SPDX-License-Identifier: Apache-2.0
/** The databases of the tests: a counting stub, H2 and PostgreSQL over TCP, and a proxy for network faults. No API. */
@NullMarked
package io.flexpool.adapter.tck.database;

import org.jspecify.annotations.NullMarked;
