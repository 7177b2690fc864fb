// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.ledger;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * One commit's figures, the medians over the JVMs of a run of {@code overhead}. Figures of several machines do not compare in
 * nanoseconds; I, the cost in units of a decorator written by hand, does so roughly.
 *
 * @param commit its abbreviated hash
 * @param date of the commit, as {@code 2026-11-24}
 * @param java version and vendor of the JVMs
 * @param load threads and connections, as {@code 1:2}
 * @param jvms how many there were
 * @param ns CPU time over bare for each cycle
 * @param inIdeals the same in units of the ideal decorator
 * @param bytes over bare for each cycle
 */
public record LedgerLine(
        String commit, String date, String java, String load, int jvms, double ns, double inIdeals, double bytes) {
    static final String HEADER = "commit,date,java,load,jvms,ns,I,bytes";

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{7,40}");
    private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
    private static final int FIELDS = 8;

    /** Refuses what would make a line that cannot be read. */
    public LedgerLine {
        if (!HASH.matcher(commit).matches() || !DATE.matcher(date).matches()) {
            throw new IllegalArgumentException("'" + commit + "' of '" + date
                    + "': must be a commit's hash of 7 to 40 digits and a date as in 2026-11-24");
        }
        if (!(Double.isFinite(ns) && Double.isFinite(inIdeals) && Double.isFinite(bytes))) {
            throw new IllegalArgumentException(
                    commit + ": ns " + ns + ", I " + inIdeals + ", bytes " + bytes + ": must be numbers");
        }
    }

    static LedgerLine parse(String line) {
        String[] fields = line.split(",", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("'" + line + "': must have the fields " + HEADER);
        }
        try {
            return new LedgerLine(
                    fields[0],
                    fields[1],
                    fields[2],
                    fields[3],
                    Integer.parseInt(fields[4]),
                    Double.parseDouble(fields[5]),
                    Double.parseDouble(fields[6]),
                    Double.parseDouble(fields[7]));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + line + "': must have the fields " + HEADER, e);
        }
    }

    /** {@return the line of the file} */
    String csv() {
        return String.format(
                Locale.ROOT,
                "%s,%s,%s,%s,%d,%.1f,%.3f,%.0f",
                commit,
                date,
                java.replace(',', ' '),
                load,
                jvms,
                ns,
                inIdeals,
                bytes);
    }
}
