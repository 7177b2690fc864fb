// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import org.jspecify.annotations.Nullable;

/** Parses numbers in files. */
final class Figures {
    static final int MOST = 1_000_000;
    private static final int PERCENT = 100;

    private Figures() {}

    /**
     * A whole number, 0 or more.
     *
     * @throws IllegalArgumentException if it is none; the message has key, value and allowed values
     */
    static int count(String key, @Nullable Object value) {
        String text = String.valueOf(value).strip();
        if (text.contains("{{")) {
            throw new IllegalArgumentException(key + " is a Helm template: " + Yamls.RENDER);
        }
        if (text.isEmpty() || text.length() > MOST || !text.chars().allMatch(each -> each >= '0' && each <= '9')) {
            boolean negative = text.startsWith("-");
            throw new IllegalArgumentException(key + " = " + Reasons.shortened(value) + ": must be "
                    + (negative ? "from 0 to " + MOST : "a whole number"));
        }
        String digits = text.replaceFirst("^0+(?=.)", "");
        if (digits.length() > 7 || Integer.parseInt(digits) > MOST) {
            throw new IllegalArgumentException(key + " = " + value + ": must be from 0 to " + MOST);
        }
        return Integer.parseInt(digits);
    }

    /** A number, or a percentage of instances, rounded up like Kubernetes' maxSurge. */
    static long upTo(String key, String written, long instances) {
        return written.endsWith("%")
                ? (instances * percent(key, written) + PERCENT - 1) / PERCENT
                : count(key, written);
    }

    /** A number, or a percentage of instances, rounded down like Kubernetes' maxUnavailable. */
    static long downTo(String key, String written, long instances) {
        return written.endsWith("%") ? instances * percent(key, written) / PERCENT : count(key, written);
    }

    private static long percent(String key, String written) {
        return count(key, written.substring(0, written.length() - 1));
    }
}
