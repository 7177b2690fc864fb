// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import io.flexpool.internal.shared.PlainText;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a foreign exception for logs, with {@linkplain PlainText plain} messages, because a logger writes them
 * unchanged. The original, which its thrower or a caller may hold, is never changed.
 */
public final class PrintableFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private PrintableFailure(String message, @Nullable Throwable cause, StackTraceElement[] stack) {
        super(message, cause);
        setStackTrace(stack);
    }

    /** The exception itself if all messages, also of causes and suppressed exceptions, are plain; otherwise a copy. */
    public static Throwable of(Throwable thrown) {
        try {
            return isPlain(thrown, seen()) ? thrown : Objects.requireNonNull(copy(thrown, seen()));
        } catch (RuntimeException | StackOverflowError unreadable) {
            String words = thrown.getClass().getName() + ", whose message cannot be read";
            return new PrintableFailure(words, null, new StackTraceElement[0]);
        }
    }

    /** Causes and suppressed exceptions may form cycles. */
    private static Set<Throwable> seen() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    private static boolean isPlain(@Nullable Throwable thrown, Set<Throwable> seen) {
        if (thrown == null || !seen.add(thrown)) {
            return true;
        }
        String message = thrown.getLocalizedMessage();
        if (message != null && !PlainText.line(message).equals(message)) {
            return false;
        }
        for (Throwable suppressed : thrown.getSuppressed()) {
            if (!isPlain(suppressed, seen)) {
                return false;
            }
        }
        return isPlain(thrown.getCause(), seen);
    }

    private static @Nullable PrintableFailure copy(@Nullable Throwable thrown, Set<Throwable> seen) {
        if (thrown == null || !seen.add(thrown)) {
            return null;
        }
        String message = thrown.getLocalizedMessage();
        PrintableFailure copy = new PrintableFailure(
                thrown.getClass().getName() + (message == null ? "" : ": " + PlainText.line(message)),
                copy(thrown.getCause(), seen),
                thrown.getStackTrace());
        for (Throwable suppressed : thrown.getSuppressed()) {
            Throwable copied = copy(suppressed, seen);
            if (copied != null) {
                copy.addSuppressed(copied);
            }
        }
        return copy;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
