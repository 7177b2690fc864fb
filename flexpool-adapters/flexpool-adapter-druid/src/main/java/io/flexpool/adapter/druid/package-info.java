// SPDX-License-Identifier: Apache-2.0
/** Druid, 1.2. */
@NullMarked
package io.flexpool.adapter.druid;

import org.jspecify.annotations.NullMarked;
