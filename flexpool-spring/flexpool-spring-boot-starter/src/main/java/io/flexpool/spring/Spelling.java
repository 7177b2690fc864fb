// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

/** Whether one name is most likely another one, spelt wrongly. */
final class Spelling {
    private static final int MOST = 2;

    private Spelling() {}

    /** Two characters put in, left out or replaced at most (two that are exchanged are two), and the better half right. */
    static boolean alike(String written, String meant) {
        int distance = distance(written, meant);
        return distance <= MOST && 2 * distance < written.length();
    }

    /** Levenshtein's. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int column = 0; column < row.length; column++) {
            row[column] = column;
        }
        for (int line = 1; line <= from.length(); line++) {
            int diagonal = row[0];
            row[0] = line;
            for (int column = 1; column < row.length; column++) {
                int replaced = diagonal + (from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(replaced, 1 + Math.min(row[column], row[column - 1]));
            }
        }
        return row[to.length()];
    }
}
