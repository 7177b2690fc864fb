// SPDX-License-Identifier: Apache-2.0
/** Scopes of connection requests by annotations of Spring beans' methods. */
@NullMarked
package io.flexpool.spring.scope;

import org.jspecify.annotations.NullMarked;
