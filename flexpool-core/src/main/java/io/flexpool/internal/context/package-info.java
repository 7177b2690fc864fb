// SPDX-License-Identifier: Apache-2.0
/**
 * What all parts of one pool share: configuration, clock, recorder, mode and state reader. What only two parts need of
 * each other is passed between these two.
 */
@NullMarked
package io.flexpool.internal.context;

import org.jspecify.annotations.NullMarked;
