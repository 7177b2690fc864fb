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

/** Words why a file could not be used: the exceptions of the JDK have the file's name alone as their message. */
public final class Reasons {
    private static final int ESCAPED_BELOW = 0x20;
    private static final int FIRST_OF_C1 = 0x7F;
    private static final int LAST_OF_C1 = 0x9F;

    private Reasons() {}

    /**
     * Checks before the first byte is read.
     *
     * @throws IOException naming the file and the reason
     */
    static void checkReadable(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException(file + ": is a folder, not a file");
        }
        if (!Files.exists(file)) {
            throw new IOException(file + ": no such file");
        }
        if (!Files.isReadable(file)) {
            throw new IOException(file + ": may not be read by this user");
        }
    }

    /** One sentence: what happened, with the file and the place if they are known. */
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

    /** The same for a sentence that has the file already. */
    static String why(IOException failure) {
        String reason = failure instanceof FileSystemException of ? of.getReason() : null;
        return reason == null ? of(failure) : reason;
    }

    /** Text of a file for a terminal: control characters are escaped, line ends kept. */
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
