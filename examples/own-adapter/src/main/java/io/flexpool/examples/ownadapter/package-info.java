// SPDX-License-Identifier: Apache-2.0
/** A small connection pool, and its adapter: what docs/write-an-adapter.md tells of. */
@NullMarked
package io.flexpool.examples.ownadapter;

import org.jspecify.annotations.NullMarked;
