// SPDX-License-Identifier: Apache-2.0
/**
 * What all parts of one pool share: its configuration, its clock, its records, its mode, and the reading of its state. What only two
 * parts need of each other is passed between these two.
 */
@NullMarked
package io.flexpool.internal.context;

import org.jspecify.annotations.NullMarked;
