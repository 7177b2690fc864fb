// SPDX-License-Identifier: Apache-2.0
/** A small connection pool, and its adapter: the example of docs/how-to/write-an-adapter.md. */
@NullMarked
package io.flexpool.examples.ownadapter;

import org.jspecify.annotations.NullMarked;
