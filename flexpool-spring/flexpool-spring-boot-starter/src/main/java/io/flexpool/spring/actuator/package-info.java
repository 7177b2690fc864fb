// SPDX-License-Identifier: Apache-2.0
/** The actuator endpoint {@code flexpool} and its page. */
@NullMarked
package io.flexpool.spring.actuator;

import org.jspecify.annotations.NullMarked;
