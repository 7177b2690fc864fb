// SPDX-License-Identifier: Apache-2.0
/**
 * Utilities that core's exported packages use too, and so may lie under all of them: text without secrets, words for figures.
 * {@link io.flexpool.spi.Texts} is the door to them for other modules. Depends on no other package of flexpool.
 */
@NullMarked
package io.flexpool.internal.shared;

import org.jspecify.annotations.NullMarked;
