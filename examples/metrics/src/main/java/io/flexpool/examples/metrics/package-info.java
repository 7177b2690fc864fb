// SPDX-License-Identifier: Apache-2.0
/** Every metrics backend, in the line that the README shows. */
@NullMarked
package io.flexpool.examples.metrics;

import org.jspecify.annotations.NullMarked;
