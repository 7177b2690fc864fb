// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

/**
 * All that one trial leaves behind.
 *
 * @param row the figures
 * @param lines what its graphs are drawn from
 */
record Measured(DirectoryRow row, Lines lines) {}
