// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

import java.util.Locale;
import java.util.regex.Pattern;

/** Keeps passwords out of what people read: drivers put URLs into messages, and URLs hold passwords. */
public final class Secrets {
    private static final Pattern NAMED = Pattern.compile(
            "((?:pass(?:word|wd|phrase)?|pwd|secret|token|credentials?)\\s*[=:]\\s*)[^&;,\\s]*",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern USER_INFORMATION = Pattern.compile("//[^@\\s]*:[^\\s]*@|(?<=thin:)[^/@\\s]+/[^\\s]*@");
    private static final Pattern KEY =
            Pattern.compile("pass(word|wd|phrase)?|pwd|secret|token|credential|api-?key", Pattern.CASE_INSENSITIVE);

    private Secrets() {}

    /**
     * A text without what looks like a password in it: {@code password=…}, {@code //user:…@host}.
     *
     * @param text any text
     * @return the text itself if there is nothing to hide
     */
    public static String masked(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        boolean named = lower.contains("pass")
                || lower.contains("pwd")
                || lower.contains("secret")
                || lower.contains("token")
                || lower.contains("credential");
        String masked = named ? NAMED.matcher(text).replaceAll("$1***") : text;
        return masked.contains("@") ? USER_INFORMATION.matcher(masked).replaceAll("//***@") : masked;
    }

    /**
     * Whether the value of a key should not be shown at all.
     *
     * @param key the key's name
     * @return true if it sounds like a password, a secret or a token
     */
    public static boolean isSecret(String key) {
        return KEY.matcher(key).find();
    }
}
