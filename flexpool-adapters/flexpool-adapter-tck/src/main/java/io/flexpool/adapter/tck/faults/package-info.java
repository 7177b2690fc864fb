// SPDX-License-Identifier: Apache-2.0
/** What the contract of faults and the soak are made of: threads that ask, networks that fail, and what is seen of them. No API. */
@NullMarked
package io.flexpool.adapter.tck.faults;

import org.jspecify.annotations.NullMarked;
