// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The file of a trace: a magic number and the format's version, then blocks of
 *
 * <pre>
 * kind (1 byte), length of the content (4 bytes, big-endian), content, CRC-32C of all of this (4 bytes)
 * </pre>
 *
 * <p>The first block is the header: names and values. Each further block has requests, with the call sites that no
 * earlier block has named, or the number of lost requests. In the version for pools with classes a class name follows
 * each call site; a call site with two classes occurs twice, so that requests need no class. Numbers are varints of
 * seven bits a byte, least significant first. Times are differences to the previous request of the block, so a request
 * takes about ten bytes. A block is readable alone if the call sites are known. A truncated file is readable up to its
 * last complete block.
 */
final class TraceFormat {
    static final int MAGIC = 0x46505452; // FPTR
    static final int WITHOUT_CLASSES = 1;
    /** The newest version, with classes. */
    static final int WITH_CLASSES = 2;

    static final int START_BYTES = 2 * Integer.BYTES;
    static final byte HEADER = 'H';
    static final byte REQUESTS = 'R';
    static final byte LOST = 'L';
    static final int BEFORE_CONTENT = 1 + Integer.BYTES;
    static final int AFTER_CONTENT = Integer.BYTES;
    /** The longest content that a writer produces. A larger length is damage, for which no memory is allocated. */
    static final int LONGEST_CONTENT = 1 << 24;

    private static final int SEVEN_BITS = 0x7f;
    private static final int MORE = 0x80;
    /** The longest text in bytes; longer texts are truncated. */
    static final int LONGEST_TEXT = 10_000;

    private TraceFormat() {}

    static void write(ByteArrayOutputStream to, long number) {
        long left = number;
        while ((left & ~SEVEN_BITS) != 0) {
            to.write((int) (left & SEVEN_BITS) | MORE);
            left >>>= 7;
        }
        to.write((int) left);
    }

    static void write(ByteArrayOutputStream to, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, LONGEST_TEXT);
        write(to, length);
        to.write(bytes, 0, length);
    }

    /** @throws java.nio.BufferUnderflowException if the content ends before */
    static long number(ByteBuffer from) {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = from.get();
            number |= (long) (next & SEVEN_BITS) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw new IllegalStateException("a number of more than " + Long.BYTES + " bytes");
    }

    static String text(ByteBuffer from) {
        long length = number(from);
        if (length < 0 || length > LONGEST_TEXT || length > from.remaining()) {
            throw new IllegalStateException("a text of " + length + " bytes");
        }
        byte[] bytes = new byte[(int) length];
        from.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
