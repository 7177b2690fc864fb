// SPDX-License-Identifier: Apache-2.0
/**
 * Utilities that core's exported packages use too: text without secrets, words for figures. Other modules use
 * {@link io.flexpool.spi.Texts} instead. Depends on no other package of flexpool.
 */
@NullMarked
package io.flexpool.internal.shared;

import org.jspecify.annotations.NullMarked;
