// SPDX-License-Identifier: Apache-2.0
/** The service provider interface for pools: reads and resizes one pool, and classifies its failures. */
@NullMarked
package io.flexpool.adapter;

import org.jspecify.annotations.NullMarked;
