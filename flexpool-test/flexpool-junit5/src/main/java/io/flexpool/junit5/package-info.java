// SPDX-License-Identifier: Apache-2.0
/** Fails a test that leaks a connection, requests a second one while holding one, or breaks a rule on leases. */
@NullMarked
package io.flexpool.junit5;

import org.jspecify.annotations.NullMarked;
