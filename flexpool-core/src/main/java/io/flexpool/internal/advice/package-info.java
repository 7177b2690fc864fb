// SPDX-License-Identifier: Apache-2.0
/** Who asks what the requests did, and when an advice on the pool's size is worked out, kept and logged. */
@NullMarked
package io.flexpool.internal.advice;

import org.jspecify.annotations.NullMarked;
