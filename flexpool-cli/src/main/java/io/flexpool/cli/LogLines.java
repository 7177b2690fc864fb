// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The lines of a log, in one pass whose cost is linear in its length, and in a memory that does not depend on it. A line that
 * is longer than the buffer comes in pieces that overlap, so that a figure at the seam is in one of them as a whole.
 */
public final class LogLines {
    static final int LONGEST = 1 << 18;
    static final int OVERLAP = 1 << 10;

    private final InputStream from;
    private final byte[] buffer;
    private int begin;
    private int end;
    private boolean ended;
    private int overlapped;

    /** The line, or the piece of one. */
    private int lineBegin;

    private int lineEnd;
    private boolean continued;
    private long number;

    /**
     * Nothing is read yet.
     *
     * @param from where the lines come from; not closed
     */
    public LogLines(InputStream from) {
        this(from, LONGEST);
    }

    /** With a buffer of another size, for tests. */
    LogLines(InputStream from, int longest) {
        this.from = from;
        this.buffer = new byte[longest];
    }

    /**
     * Goes to the next line.
     *
     * @return false after the last
     * @throws IOException if it cannot be read
     */
    public boolean next() throws IOException {
        continued = overlapped > 0;
        int scanned = begin;
        while (true) {
            for (int at = scanned; at < end; at++) {
                if (buffer[at] == '\n') {
                    return line(begin, at, at + 1, 0);
                }
            }
            scanned = end - begin;
            if (ended) {
                return end > begin && line(begin, end, end, 0);
            }
            System.arraycopy(buffer, begin, buffer, 0, end - begin);
            end -= begin;
            begin = 0;
            if (end == buffer.length) {
                return line(0, end, end - OVERLAP, OVERLAP);
            }
            int count = from.read(buffer, end, buffer.length - end);
            if (count < 0) {
                ended = true;
            } else {
                end += count;
            }
        }
    }

    private boolean line(int first, int after, int next, int overlap) {
        lineBegin = first;
        lineEnd = after;
        begin = next;
        overlapped = overlap;
        if (!continued) {
            number++;
        }
        return true;
    }

    /** Which line, from 1. */
    long number() {
        return number;
    }

    /** How many of the characters of {@link #text} the piece before had too; 0 at the begin of a line. */
    int seen() {
        return continued ? decoded(OVERLAP).length() : 0;
    }

    /** Whether some ASCII is in the line, without making a string of it. */
    boolean contains(byte[] ascii) {
        byte first = ascii[0];
        for (int at = lineBegin; at <= lineEnd - ascii.length; at++) {
            if (buffer[at] == first && Arrays.equals(buffer, at, at + ascii.length, ascii, 0, ascii.length)) {
                return true;
            }
        }
        return false;
    }

    /** {@return the text: UTF-8, or what is not UTF-8 as ISO 8859-1} */
    public String text() {
        return decoded(lineEnd - lineBegin);
    }

    private String decoded(int length) {
        return new String(buffer, lineBegin, length, isUtf8() ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    }

    private boolean isUtf8() {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(buffer, lineBegin, lineEnd - lineBegin));
            return true;
        } catch (CharacterCodingException other) {
            return false;
        }
    }
}
