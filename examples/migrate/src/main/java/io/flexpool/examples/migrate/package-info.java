// SPDX-License-Identifier: Apache-2.0
/** The programs of docs/how-to/migrate-*.md: what an application has before it uses flexpool, and the same with flexpool. */
@NullMarked
package io.flexpool.examples.migrate;

import org.jspecify.annotations.NullMarked;
