// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** Splits text into the rows of a table. */
final class Csv {
    private Csv() {}

    /** Splits a text into rows; quoted values may contain line ends and doubled quotes. */
    static List<List<String>> rows(String text, char separator) {
        List<List<String>> rows = new ArrayList<>();
        List<String> row = new ArrayList<>();
        StringBuilder value = new StringBuilder();
        boolean quoted = false;
        for (int at = 0; at < text.length(); at++) {
            char each = text.charAt(at);
            if (each == '"') {
                if (quoted && at + 1 < text.length() && text.charAt(at + 1) == '"') {
                    value.append('"');
                    at++;
                } else {
                    quoted = !quoted;
                }
            } else if (!quoted && each == separator) {
                row.add(value.toString());
                value.setLength(0);
            } else if (!quoted && each == '\n') {
                row.add(value.toString());
                value.setLength(0);
                rows.add(row);
                row = new ArrayList<>();
            } else {
                value.append(each);
            }
        }
        row.add(value.toString());
        rows.add(row);
        return rows;
    }
}
