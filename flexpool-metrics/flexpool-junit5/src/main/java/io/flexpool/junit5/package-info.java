// SPDX-License-Identifier: Apache-2.0
/** Fails a test that leaks a connection, or asks for a second one while it holds one. */
@NullMarked
package io.flexpool.junit5;

import org.jspecify.annotations.NullMarked;
