// SPDX-License-Identifier: Apache-2.0
/** Oracle UCP. */
@NullMarked
package io.flexpool.adapter.ucp;

import org.jspecify.annotations.NullMarked;
