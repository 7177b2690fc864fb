// SPDX-License-Identifier: Apache-2.0
/** Batch work beside interactive requests: on one pool, on two, and on one with classes. */
@NullMarked
package io.flexpool.adapter.hikaricp.classes;

import org.jspecify.annotations.NullMarked;
