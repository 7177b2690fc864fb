// SPDX-License-Identifier: Apache-2.0
/**
 * A failed acquisition: its reason, its report, the explanation and the caller's exception. The adapter classifies a
 * pool's exceptions; the caller of this package decides on a retry.
 */
@NullMarked
package io.flexpool.internal.failure;

import org.jspecify.annotations.NullMarked;
