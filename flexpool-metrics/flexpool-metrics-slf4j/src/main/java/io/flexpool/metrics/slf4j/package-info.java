// SPDX-License-Identifier: Apache-2.0
/** A summary line now and then, and a line for each event, in the words of whoever is on call. */
@NullMarked
package io.flexpool.metrics.slf4j;

import org.jspecify.annotations.NullMarked;
