// SPDX-License-Identifier: Apache-2.0
/** The events of a pool: for listeners as they occur, and the recent ones that flexpool keeps. */
@NullMarked
package io.flexpool.event;

import org.jspecify.annotations.NullMarked;
