// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Words the reason why a file could not be used: the message of the JDK's exceptions is only the file's name. */
public final class Reasons {
    private static final int ESCAPED_BELOW = 0x20;
    private static final int FIRST_OF_C1 = 0x7F;
    private static final int LAST_OF_C1 = 0x9F;

    private static final int MOST_SHOWN = 60;

    private Reasons() {}

    /**
     * Checks a file before it is opened.
     *
     * @throws IOException if the file is not readable; the message has file and reason
     */
    static void checkReadable(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException(file + ": a folder, not a file");
        }
        if (!Files.exists(file)) {
            throw new IOException(file + ": no such file");
        }
        if (!Files.isReadable(file)) {
            throw new IOException(file + ": may not be read by this user");
        }
    }

    /** The failure in one sentence, with the file and the place if known. */
    static String of(Throwable failure) {
        if (failure instanceof OutOfMemoryError) {
            return "not enough memory: give the JVM more, as in java -Xmx1g -jar flexpool.jar …";
        }
        if (failure instanceof NoSuchFileException absent) {
            return absent.getFile() + ": no such file or folder";
        }
        if (failure instanceof AccessDeniedException denied) {
            return denied.getFile() + ": this user may not use it";
        }
        if (failure instanceof FileAlreadyExistsException there) {
            return there.getFile() + ": exists already";
        }
        if (failure instanceof FileSystemException other) {
            return Objects.requireNonNullElse(other.getFile(), "a file") + ": "
                    + Objects.requireNonNullElse(other.getReason(), "cannot be used");
        }
        String message = failure.getMessage();
        return message == null || message.isBlank()
                ? failure.getClass().getSimpleName() + ", which is a defect of flexpool: please report it"
                : message;
    }

    /** The reason alone, for a sentence that contains the file already. */
    static String why(IOException failure) {
        String reason = failure instanceof FileSystemException of ? of.getReason() : null;
        return reason == null ? of(failure) : reason;
    }

    /** A value for a message: one line of at most 60 characters. */
    static String shortened(@Nullable Object value) {
        String text = String.valueOf(value);
        String begin = text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "…" : text;
        return begin.replaceAll("\\s+", " ");
    }

    /** Escapes the control characters of a file's text for a terminal; keeps line ends. */
    public static String printable(String text) {
        StringBuilder printable = null;
        for (int at = 0; at < text.length(); at++) {
            char each = text.charAt(at);
            boolean control = isControl(each);
            if (control && printable == null) {
                printable = new StringBuilder(text.length() + 8).append(text, 0, at);
            }
            if (printable != null) {
                if (control) {
                    printable.append(String.format(Locale.ROOT, "\\u%04x", (int) each));
                } else {
                    printable.append(each);
                }
            }
        }
        return printable == null ? text : printable.toString();
    }

    private static boolean isControl(char each) {
        if (each == '\n' || each == '\r' || each == '\t') {
            return false;
        }
        return each < ESCAPED_BELOW
                || (each >= FIRST_OF_C1 && each <= LAST_OF_C1)
                || Character.getType(each) == Character.FORMAT;
    }
}
