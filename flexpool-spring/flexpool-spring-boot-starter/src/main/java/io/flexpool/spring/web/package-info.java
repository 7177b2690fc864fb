// SPDX-License-Identifier: Apache-2.0
/** The response of a web application to a request that got no connection. */
@NullMarked
package io.flexpool.spring.web;

import org.jspecify.annotations.NullMarked;
