// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.statementpath;

/**
 * What a cycle sets and reads, and how many threads run cycles.
 *
 * @param threads threads, each with its own connection
 * @param parameters calls of setInt of each statement
 * @param rows rows of each result set
 * @param columns columns read of each row
 */
record Load(int threads, int parameters, int rows, int columns) {
    @Override
    public String toString() {
        return rows + "x" + columns;
    }
}
