// SPDX-License-Identifier: Apache-2.0
/** BoneCP, Proxool, Commons DBCP 1.4, and the small pools that drivers bring. */
@NullMarked
package io.flexpool.adapter.legacy;

import org.jspecify.annotations.NullMarked;
