// SPDX-License-Identifier: Apache-2.0
/** What others depend on, seen from outside. */
@NullMarked
package io.flexpool.published;

import org.jspecify.annotations.NullMarked;
