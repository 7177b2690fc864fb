// SPDX-License-Identifier: Apache-2.0
/** A periodic summary line and a line for each event, for operators on call. */
@NullMarked
package io.flexpool.metrics.slf4j;

import org.jspecify.annotations.NullMarked;
