// SPDX-License-Identifier: Apache-2.0
/** The service provider interface for pools: how one pool is read, steered, and how its failures are told apart. */
@NullMarked
package io.flexpool.adapter;

import org.jspecify.annotations.NullMarked;
