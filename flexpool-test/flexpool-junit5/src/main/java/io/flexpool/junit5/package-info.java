// SPDX-License-Identifier: Apache-2.0
/** Fails a test that leaks a connection or requests a second one while holding one. */
@NullMarked
package io.flexpool.junit5;

import org.jspecify.annotations.NullMarked;
