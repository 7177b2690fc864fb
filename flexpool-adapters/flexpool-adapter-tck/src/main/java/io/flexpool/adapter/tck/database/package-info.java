// SPDX-License-Identifier: Apache-2.0
/** The databases of the tests: a stub that counts, H2 and PostgreSQL over TCP, and a network between. No API. */
@NullMarked
package io.flexpool.adapter.tck.database;

import org.jspecify.annotations.NullMarked;
