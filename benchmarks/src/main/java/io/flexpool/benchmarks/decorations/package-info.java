// SPDX-License-Identifier: Apache-2.0
/** What is put around HikariCP to be compared: flexpool with each backend, and its peers. One class for each. */
@NullMarked
package io.flexpool.benchmarks.decorations;

import org.jspecify.annotations.NullMarked;
