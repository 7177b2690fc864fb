// SPDX-License-Identifier: Apache-2.0
/** What a Spring bean's method says of the connections that it asks for. */
@NullMarked
package io.flexpool.spring.scope;

import org.jspecify.annotations.NullMarked;
