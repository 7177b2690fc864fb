// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Opens text input: files, {@code -} for the standard input, {@code .gz}, and UTF-16. Returns UTF-8, or another
 * encoding that contains ASCII unchanged.
 */
public final class LogInput {
    /** The name of the standard input. */
    static final Path STANDARD = Path.of("-");

    private static final int MARK = 8;
    private static final int BUFFER = 1 << 16;

    /** Formats that are no text: their first bytes as characters, and the command to convert them. */
    private enum Binary {
        ZSTD("zstd -d", "(\u00b5/\u00fd"),
        XZ("xz -d", "\u00fd7zXZ"),
        BZIP2("bzip2 -d", "BZh"),
        ZIP("unzip -p", "PK\3\4");

        private final String command;
        private final String begin;

        Binary(String command, String begin) {
            this.command = command;
            this.begin = begin;
        }

        boolean begins(byte[] head) {
            return new String(head, StandardCharsets.ISO_8859_1).startsWith(begin);
        }
    }

    /** Supplies the input for {@code -}. */
    private final Supplier<InputStream> standard;

    public LogInput(Supplier<InputStream> standard) {
        this.standard = standard;
    }

    /** The name of an input for messages. */
    public static String name(Path file) {
        return file.equals(STANDARD) ? "standard input" : file.toString();
    }

    /**
     * Opens the text of a file.
     *
     * @throws IOException if the file cannot be opened; the message has file and reason
     */
    public InputStream open(Path file) throws IOException {
        InputStream raw;
        if (file.equals(STANDARD)) {
            raw = standard.get();
        } else {
            Reasons.checkReadable(file);
            // A pipe, for example of <(zcat …), has no size and no position.
            raw = Files.isRegularFile(file)
                    ? Progress.of(file, Files.newInputStream(file))
                    : new FileInputStream(file.toFile());
        }
        try {
            return text(file, new BufferedInputStream(raw, BUFFER));
        } catch (IOException | RuntimeException failed) {
            raw.close();
            throw failed;
        }
    }

    /**
     * Reads a whole text.
     *
     * @throws IOException if the file cannot be read; the message has file and reason
     */
    byte[] all(Path file) throws IOException {
        try (InputStream in = open(file)) {
            return in.readAllBytes();
        } catch (ZipException | EOFException cut) {
            throw new IOException(name(file) + ": the compressed file is damaged or ends early", cut);
        }
    }

    private InputStream text(Path file, InputStream bytes) throws IOException {
        byte[] head = head(bytes);
        if (head[0] == 0x1F && head[1] == (byte) 0x8B) {
            return text(file, new BufferedInputStream(new Unzipped(bytes), BUFFER));
        }
        for (Binary binary : Binary.values()) {
            if (binary.begins(head)) {
                throw new IOException(
                        name(file) + ": compressed; pipe it in: " + binary.command + " <" + file + " | flexpool … -");
            }
        }
        Charset wide = wide(head);
        return wide == null ? bytes : new Narrowed(new InputStreamReader(bytes, wide), bytes);
    }

    private static byte[] head(InputStream bytes) throws IOException {
        bytes.mark(MARK);
        byte[] head = new byte[MARK];
        bytes.readNBytes(head, 0, MARK);
        bytes.reset();
        return head;
    }

    /**
     * The charset of UTF-16, detected by its byte order mark or by the zero bytes of ASCII; null for other encodings.
     */
    private static @Nullable Charset wide(byte[] head) {
        int first = ((head[0] & 0xFF) << 8) | (head[1] & 0xFF);
        if (first == 0xFFFE || first == 0xFEFF) {
            return StandardCharsets.UTF_16;
        }
        if (head[0] > 0 && head[1] == 0 && head[2] > 0 && head[3] == 0) {
            return StandardCharsets.UTF_16LE;
        }
        return head[0] == 0 && head[1] > 0 && head[2] == 0 && head[3] > 0 ? StandardCharsets.UTF_16BE : null;
    }

    /**
     * Never announces more bytes, so that a buffer around the stream returns each part as it is read: a buffer that
     * read on to a damaged place would lose the parts before it.
     */
    private static final class Unzipped extends GZIPInputStream {
        Unzipped(InputStream zipped) throws IOException {
            super(zipped, BUFFER);
        }

        @Override
        public int available() {
            return 0;
        }
    }

    /** Converts characters to UTF-8. */
    private static final class Narrowed extends FilterInputStream {
        private final Reader from;
        private final char[] read = new char[BUFFER];
        private byte[] bytes = new byte[0];
        private int at;

        Narrowed(Reader from, InputStream closed) {
            super(closed);
            this.from = from;
        }

        private boolean filled() throws IOException {
            while (at == bytes.length) {
                int count = from.read(read);
                if (count < 0) {
                    return false;
                }
                bytes = new String(read, 0, count).getBytes(StandardCharsets.UTF_8);
                at = 0;
            }
            return true;
        }

        @Override
        public int read() throws IOException {
            return filled() ? bytes[at++] & 0xFF : -1;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (!filled()) {
                return -1;
            }
            int count = Math.min(length, bytes.length - at);
            System.arraycopy(bytes, at, into, offset, count);
            at += count;
            return count;
        }
    }
}
