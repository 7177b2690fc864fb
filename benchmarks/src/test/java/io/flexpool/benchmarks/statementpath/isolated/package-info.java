// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.flexpool.benchmarks.statementpath.isolated;

import org.jspecify.annotations.NullMarked;
