// SPDX-License-Identifier: Apache-2.0
/**
 * The objects that all parts of one pool share: configuration, clock, recorder, mode and state reader. Objects that
 * only two parts share are passed between them.
 */
@NullMarked
package io.flexpool.internal.context;

import org.jspecify.annotations.NullMarked;
