// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.flexpool.benchmarks.adaptive;

import org.jspecify.annotations.NullMarked;
