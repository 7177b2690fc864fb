// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the lines of a log in one pass, in linear time and constant memory. A line longer than the buffer is split into
 * overlapping pieces, so that one piece contains each figure completely.
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

    /** The position of the line, or of its piece, in the buffer. */
    private int lineBegin;

    private int lineEnd;
    private boolean continued;
    private long number;

    /**
     * Creates a reader, without reading yet.
     *
     * @param from the source of the lines; not closed
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
     * Reads the next line.
     *
     * @return false after the last
     * @throws IOException if the source cannot be read
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

    /** The number of the line, from 1. */
    long number() {
        return number;
    }

    /** The number of characters of {@link #text} that the previous piece had too; 0 at the start of a line. */
    int seen() {
        return continued ? decoded(OVERLAP).length() : 0;
    }

    /** Whether the line contains an ASCII text; creates no string. */
    boolean contains(byte[] ascii) {
        byte first = ascii[0];
        for (int at = lineBegin; at <= lineEnd - ascii.length; at++) {
            if (buffer[at] == first && Arrays.equals(buffer, at, at + ascii.length, ascii, 0, ascii.length)) {
                return true;
            }
        }
        return false;
    }

    /** {@return the text, decoded as UTF-8, or as ISO 8859-1 if it is not UTF-8} */
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
