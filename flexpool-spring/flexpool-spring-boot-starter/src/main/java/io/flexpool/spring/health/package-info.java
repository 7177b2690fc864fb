// SPDX-License-Identifier: Apache-2.0
/** The health indicators for both generations of Spring Boot. */
@NullMarked
package io.flexpool.spring.health;

import org.jspecify.annotations.NullMarked;
