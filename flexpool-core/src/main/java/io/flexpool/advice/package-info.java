// SPDX-License-Identifier: Apache-2.0
/**
 * How many connections a pool needs: what a reader of the pool gets, and the service provider interface of what works it out.
 * Core records what the requests did and passes it on; it knows no method. The module {@code flexpool-advisor} has one.
 */
@NullMarked
package io.flexpool.advice;

import org.jspecify.annotations.NullMarked;
