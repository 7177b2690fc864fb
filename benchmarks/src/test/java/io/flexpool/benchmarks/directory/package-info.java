// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.flexpool.benchmarks.directory;

import org.jspecify.annotations.NullMarked;
