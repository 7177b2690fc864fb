// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses values. A value that depends on the environment is unknown, except a placeholder's default. */
final class Values {
    /** One placeholder, whose default may be another placeholder. */
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{[^{}:]+(?::(?<fallback>[^{}]*|\\$\\{.*}))?}");

    /** One with a default, and without another one in it. */
    private static final Pattern INNERMOST = Pattern.compile("\\$\\{[^${}:]{1,200}:(?<fallback>[^${}]*)}");

    private static final int DEEPEST = 10;
    /** Maven's placeholder; a single {@code @} is a part of a password or URL. */
    private static final Pattern MAVENS = Pattern.compile("@[\\w.-]+@");

    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
    private static final Pattern DURATION = Pattern.compile("(?i)(?<count>\\d{1,12})\\s*(?<unit>ns|us|ms|s|m|h|d)?");
    /** Placeholder words for a password, references to one, and encrypted passwords. */
    private static final Pattern NO_PASSWORD = Pattern.compile(
            "(?i).*(?:@microsoft\\.keyvault\\(|\\$\\{|#\\{|\\{\\{|ENC\\(|\\{cipher}|vault:|\\$\\(|<|>|@[\\w.-]+@).*|\\*+|x{3,}|\\.{3,}|.*your[-_ ]?.*|.*change[-_ ]?(?:me|it|this).*|.*密码|пароль|비밀번호|パスワード|senha|contrase[nñ]a|passwort|kennwort|mot[-_ ]?de[-_ ]?passe|todo|placeholder|none|null|true|false|%\\w+%");

    private Values() {}

    /** The value without placeholders; null if unknown. */
    static @Nullable String known(@Nullable Setting setting) {
        if (setting == null) {
            return null;
        }
        String value = setting.value().strip();
        for (int depth = 0;
                depth < DEEPEST && value != null && value.startsWith("${") && value.endsWith("}");
                depth++) {
            Matcher placeholder = PLACEHOLDER.matcher(value);
            value = placeholder.matches() ? placeholder.group("fallback") : null;
        }
        return value == null
                        || value.isEmpty()
                        || value.contains("${")
                        || MAVENS.matcher(value).find()
                ? null
                : value;
    }

    /** The value with the defaults of its placeholders; those without one stay. Null if there is none, or it is one placeholder. */
    static @Nullable String begun(@Nullable Setting setting) {
        String value = setting == null ? "" : setting.value().strip();
        for (int depth = 0; depth < DEEPEST; depth++) {
            String next = INNERMOST.matcher(value).replaceAll("${fallback}");
            if (next.equals(value)) {
                break;
            }
            value = next;
        }
        return value.isEmpty() || value.startsWith("${") ? null : value;
    }

    static OptionalInt count(@Nullable Setting setting) {
        String value = known(setting);
        return value != null && NUMBER.matcher(value).matches()
                ? OptionalInt.of(Integer.parseInt(value))
                : OptionalInt.empty();
    }

    /** A number that no variable changes. */
    static OptionalInt fixedCount(Setting setting) {
        return setting.value().contains("${") ? OptionalInt.empty() : count(setting);
    }

    /** A duration; a number without a unit is in milliseconds. Null if unknown. */
    static @Nullable Duration duration(@Nullable Setting setting) {
        String value = known(setting);
        if (value == null) {
            return null;
        }
        Matcher simple = DURATION.matcher(value);
        if (!simple.matches()) {
            try {
                return Duration.parse(value);
            } catch (DateTimeParseException other) {
                return null;
            }
        }
        long count = Long.parseLong(simple.group("count"));
        String unit = simple.group("unit") == null ? "ms" : simple.group("unit").toLowerCase(Locale.ROOT);
        return switch (unit) {
            case "ns" -> Duration.ofNanos(count);
            case "us" -> Duration.ofNanos(count * 1_000);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            case "d" -> Duration.ofDays(count);
            default -> Duration.ofMillis(count);
        };
    }

    static boolean is(@Nullable Setting setting, String value) {
        return value.equalsIgnoreCase(known(setting));
    }

    /** Whether a value is a password, not a placeholder. */
    static boolean isPassword(String value) {
        return !value.isBlank() && !NO_PASSWORD.matcher(value.strip()).matches();
    }
}
