// SPDX-License-Identifier: Apache-2.0
/** Tests of what the ways to share connections are measured with. */
@NullMarked
package io.flexpool.benchmarks.classes;

import org.jspecify.annotations.NullMarked;
