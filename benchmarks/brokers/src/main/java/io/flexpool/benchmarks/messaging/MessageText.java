// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.messaging;

import java.util.Random;

/** What messages say. */
public final class MessageText {
    private MessageText() {}

    /**
     * Small letters.
     *
     * @param bytes how many, each one byte in ASCII
     * @param random which
     * @return the text
     */
    public static String of(int bytes, Random random) {
        StringBuilder text = new StringBuilder(bytes);
        random.ints(bytes, 'a', 'z' + 1).forEach(letter -> text.append((char) letter));
        return text.toString();
    }
}
