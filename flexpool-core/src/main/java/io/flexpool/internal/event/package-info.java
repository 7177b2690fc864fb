// SPDX-License-Identifier: Apache-2.0
/**
 * Delivery: listeners and logs are called so that their exceptions or delays harm neither a request nor a pool. The
 * reporting packages decide what is reported, and when.
 */
@NullMarked
package io.flexpool.internal.event;

import org.jspecify.annotations.NullMarked;
