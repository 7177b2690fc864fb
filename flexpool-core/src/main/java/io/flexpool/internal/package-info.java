// SPDX-License-Identifier: Apache-2.0
/** How it works. Not exported; nothing here is API. */
@NullMarked
package io.flexpool.internal;

import org.jspecify.annotations.NullMarked;
