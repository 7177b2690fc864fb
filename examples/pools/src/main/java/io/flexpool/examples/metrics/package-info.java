// SPDX-License-Identifier: Apache-2.0
/** Every metrics backend, in the line that docs/reference/backends.md shows. */
@NullMarked
package io.flexpool.examples.metrics;

import org.jspecify.annotations.NullMarked;
