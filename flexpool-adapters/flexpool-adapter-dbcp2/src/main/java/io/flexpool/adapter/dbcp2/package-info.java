// SPDX-License-Identifier: Apache-2.0
/** Commons DBCP 2. */
@NullMarked
package io.flexpool.adapter.dbcp2;

import org.jspecify.annotations.NullMarked;
