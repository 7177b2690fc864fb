// SPDX-License-Identifier: Apache-2.0
/** A part of flexpool that calls a webhook while a pool is exhausted: see docs/how-to/write-a-part.md. */
@NullMarked
package io.flexpool.examples.ownpart;

import org.jspecify.annotations.NullMarked;
