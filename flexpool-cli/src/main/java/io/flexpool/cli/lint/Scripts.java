// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds Spring Boot's variables in files of other programs, for example Terraform, task definitions of ECS, units of
 * systemd and shell scripts. Evaluates no expression: a variable that is not set to text is set to an unknown value.
 */
final class Scripts {
    private static final Pattern NAME = Pattern.compile(
            "(?i).*\\.(?:tf|tfvars|hcl|nomad|json|toml|service|sh|bash|bat|cmd|ps1|j2|tpl|tmpl|conf)|procfile|\\.env\\..*");
    /** A name behind a dollar sign is read, not set. */
    private static final Pattern VARIABLE =
            Pattern.compile("(?<![\\w.$-])(?:SPRING_[A-Z0-9_]{1,100}+|spring\\.datasource\\.[\\w.-]{1,100}+)");
    /** The value behind a name, or behind its closing quote. */
    private static final Pattern ASSIGNED = Pattern.compile(
            "[\"']?[ \\t]*[:=][ \\t]*(?:\"(?<double>[^\"\\n]{0,1000}+)\"|'(?<single>[^'\\n]{0,1000}+)'|(?<plain>[^\\s,;\"'}\\]]{1,1000}+))");
    /** The value of an object with a name and a value. */
    private static final Pattern VALUE =
            Pattern.compile("(?i)\\bvalue[\"']?[ \\t]*[:=][ \\t]*[\"'](?<value>[^\"'\\n]{0,1000}+)[\"']");

    private static final Pattern UNKNOWN = Pattern.compile(".*(?:\\$|\\{\\{|<%|%\\w+%).*");
    /** Text without quotes is an expression but for numbers, except in a shell. */
    private static final Pattern LITERAL = Pattern.compile("(?i)\\d+(?:ms|s|m)?|true|false");

    private static final int WIDEST = 2_000;

    private Scripts() {}

    static boolean isOne(String name) {
        return NAME.matcher(name).matches();
    }

    /** The variables in a text, in its order. */
    static List<Setting> settings(Path file, String text) {
        List<Setting> settings = new ArrayList<>();
        int line = 1;
        int counted = 0;
        for (Matcher found = VARIABLE.matcher(text); found.find(); ) {
            for (; counted < found.start(); counted++) {
                line += text.charAt(counted) == '\n' ? 1 : 0;
            }
            String before = text.substring(text.lastIndexOf('\n', found.start()) + 1, found.start());
            if (before.stripLeading().startsWith("#") || before.stripLeading().startsWith("//")) {
                continue;
            }
            settings.add(new Setting(file, line, found.group(), value(text, found.start(), found.end())));
        }
        return settings;
    }

    private static String value(String text, int begin, int end) {
        Matcher assigned = ASSIGNED.matcher(text).region(end, Math.min(text.length(), end + WIDEST));
        if (assigned.lookingAt()) {
            String quoted = assigned.group("double") == null ? assigned.group("single") : assigned.group("double");
            String plain = assigned.group("plain");
            return quoted != null ? known(quoted) : LITERAL.matcher(plain).matches() ? plain : "${}";
        }
        int open = Math.max(text.lastIndexOf('{', begin), begin - WIDEST);
        int close = text.indexOf('}', end);
        Matcher beside = VALUE.matcher(text).region(Math.max(open, 0), close < 0 ? end : Math.min(close, end + WIDEST));
        return beside.find() ? known(beside.group("value")) : "${}";
    }

    private static String known(String value) {
        return UNKNOWN.matcher(value).matches() ? "${}" : value;
    }
}
