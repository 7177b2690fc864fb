// SPDX-License-Identifier: Apache-2.0
/** What a web application answers where a request got no connection. */
@NullMarked
package io.flexpool.spring.web;

import org.jspecify.annotations.NullMarked;
