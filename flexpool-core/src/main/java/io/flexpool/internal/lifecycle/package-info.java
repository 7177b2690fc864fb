// SPDX-License-Identifier: Apache-2.0
/** What a pool's owner does with the whole pool: warm it up, hold and resume it, evict its connections, drain it. */
@NullMarked
package io.flexpool.internal.lifecycle;

import org.jspecify.annotations.NullMarked;
