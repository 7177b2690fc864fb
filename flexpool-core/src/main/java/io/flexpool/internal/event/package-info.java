// SPDX-License-Identifier: Apache-2.0
/**
 * Delivery: listeners and logs are called so that what they throw, or how long they take, harms no request and no pool. What
 * is reported, and when, is decided by the rooms that report it.
 */
@NullMarked
package io.flexpool.internal.event;

import org.jspecify.annotations.NullMarked;
