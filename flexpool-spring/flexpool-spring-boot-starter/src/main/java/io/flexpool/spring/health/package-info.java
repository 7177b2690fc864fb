// SPDX-License-Identifier: Apache-2.0
/**
 * Whether the pools can serve requests, checked without borrowing a connection; for both generations of Spring Boot.
 */
@NullMarked
package io.flexpool.spring.health;

import org.jspecify.annotations.NullMarked;
