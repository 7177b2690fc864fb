// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every pattern of the program against long lines made of its own pieces. Counts the characters that it reads, which no machine's
 * load changes.
 */
class PatternsTest {
    private static final int LENGTH = 20_000;
    /** The reads for one character of the line. A quadratic pattern needs {@link #LENGTH} / 2. */
    private static final int MOST = 200;
    /** The number of neighbouring pieces that are repeated together. */
    private static final int TOGETHER = 4;

    private static final Pattern IN_CALL = Pattern.compile(
            "\\.(replaceAll|replaceFirst|split|matches)\\(\\s*\"((?:[^\"\\\\]|\\\\.)*)\"\\s*(?:,|(?<=matches\\(.{0,200})\\))");

    /** A text that counts its reads, and ends too many of them. */
    private static final class Counted implements CharSequence {
        private final String text;
        private long reads;

        Counted(String text) {
            this.text = text;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (++reads > (long) MOST * text.length()) {
                throw new IllegalStateException();
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int begin, int end) {
            return text.subSequence(begin, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    @Test
    void noPatternReadsALongLineAgainAndAgain() throws Exception {
        Map<String, Pattern> patterns = patterns();
        assertThat(patterns).hasSizeGreaterThan(100);
        List<String> slow = new ArrayList<>();
        patterns.forEach((name, pattern) -> {
            for (String line : lines(pattern.pattern())) {
                String fault = fault(pattern, line, isSearched(name));
                if (!fault.isEmpty()) {
                    slow.add(fault + name + " on " + line.substring(0, 100) + "\n");
                    return;
                }
            }
        });
        assertThat(slow).isEmpty();
    }

    /** The patterns that the program writes where it uses them. */
    @Test
    void noPatternInACallReadsALongLineAgainAndAgain() throws Exception {
        List<String> slow = new ArrayList<>();
        int read = 0;
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                for (Matcher call = IN_CALL.matcher(Files.readString(file)); call.find(); read++) {
                    Pattern pattern = Pattern.compile(call.group(2)
                            .replaceAll("\\\\(?=u\\p{XDigit})", "\\\\\\\\")
                            .translateEscapes());
                    for (String line : lines(pattern.pattern())) {
                        String fault = fault(pattern, line, !call.group(1).equals("matches"));
                        if (!fault.isEmpty()) {
                            slow.add(fault + file.getFileName() + " " + pattern + "\n");
                            break;
                        }
                    }
                }
            }
        }
        assertThat(read).isGreaterThan(30);
        assertThat(slow).isEmpty();
    }

    private static String fault(Pattern pattern, String line, boolean searched) {
        try {
            Matcher matcher = pattern.matcher(new Counted(line));
            while (searched && matcher.find()) {
                // Reads the whole line.
            }
            pattern.matcher(new Counted(line)).matches();
            return "";
        } catch (IllegalStateException tooMany) {
            return "too many reads: ";
        } catch (StackOverflowError tooDeep) {
            return "too deep: ";
        }
    }

    /** Whether the program searches for a pattern within a text, or does more than match the whole text or its begin. */
    private static boolean isSearched(String name) {
        String constant = name.replaceFirst(".*[#.](?=\\w+(?:\\[|$))", "").replaceFirst("\\[.*", "");
        String source;
        try {
            source = Files.readString(
                    Path.of("src/main/java", name.replaceFirst("[$#].*", "").replace('.', '/') + ".java"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        List<Boolean> uses = Pattern.compile(
                        "(?:(?:Matcher|var) (\\w+) =[^;]{1,80}?)?(?<!\\w)" + constant + "\\s*\\.matcher\\(([^;]*;)")
                .matcher(source)
                .results()
                .map(use -> {
                    Matcher call = Pattern.compile((use.group(1) == null ? "\\)" : "\\b" + use.group(1))
                                    + "\\s*\\.(find|replaceAll|replaceFirst|results|matches|lookingAt)\\(")
                            .matcher(source.substring(use.start(2)));
                    return call.find()
                            && (call.group(1).equals("matches") || call.group(1).equals("lookingAt"));
                })
                .toList();
        return uses.isEmpty() || uses.contains(false);
    }

    private static List<String> lines(String pattern) {
        List<String> pieces = pieces(pattern);
        Set<String> words = new LinkedHashSet<>();
        for (int from = 0; from < pieces.size(); from++) {
            for (int to = from + 1; to <= Math.min(pieces.size(), from + TOGETHER); to++) {
                words.add(String.join("", pieces.subList(from, to)));
            }
        }
        List<String> lines = new ArrayList<>();
        String before = "";
        for (String piece : pieces) {
            before += piece;
            lines.add(filled(before, piece));
        }
        words.forEach(word -> lines.add(filled("", word)));
        before = "";
        for (int at = 0; at < pieces.size(); at++) {
            for (int to = at + 2; to <= Math.min(pieces.size(), at + TOGETHER); to++) {
                lines.add(filled(before, String.join("", pieces.subList(at, to))));
            }
            before += pieces.get(at);
        }
        lines.add(filled("", "\n"));
        lines.add(filled(String.join("", pieces), "x"));
        return lines;
    }

    private static String filled(String begin, String word) {
        return begin + word.repeat(1 + LENGTH / word.length()) + "\u0001";
    }

    /** The literals of a pattern, and a character of each class, in their order. */
    private static List<String> pieces(String pattern) {
        List<String> pieces = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        for (int at = 0; at < pattern.length(); at++) {
            char each = pattern.charAt(at);
            String one = null;
            if (each == '\\') {
                char escaped = pattern.charAt(++at);
                one = switch (escaped) {
                    case 'd' -> "1";
                    case 'w', 'S' -> "a";
                    case 's' -> " ";
                    case 't' -> "\t";
                    case 'n', 'R' -> "\n";
                    case 'r' -> "\r";
                    case 'p' -> "a";
                    case 'b', 'A', 'z', 'Z' -> "";
                    case 'x' -> "\u001b";
                    default -> null;
                };
                at += escaped == 'x' ? 2 : 0;
                at = escaped == 'p' ? pattern.indexOf('}', at) : at;
                if (one == null) {
                    literal.append(escaped);
                }
            } else if (each == '[') {
                int end = at + 1;
                while (pattern.charAt(end) != ']' || pattern.startsWith("[^]", end - 2) || end == at + 1) {
                    end += pattern.charAt(end) == '\\' ? 2 : 1;
                }
                String content = "[" + pattern.substring(at + 1, end) + "]";
                Pattern member = Pattern.compile(content);
                one = Stream.of("a", "1", " ", "A", ".", "-", "\"", "\t", ",")
                        .filter(letter -> member.matcher(letter).matches())
                        .findFirst()
                        .orElse(content.substring(1, 2));
                at = end;
            } else if (each == '{') {
                at = pattern.indexOf('}', at);
                one = "";
            } else if (each == '.') {
                one = "x";
            } else if (each == '(' && pattern.startsWith("(?<", at)) {
                char next = pattern.charAt(at + 3);
                at = next == '!' || next == '=' ? at + 3 : pattern.indexOf('>', at);
                one = "";
            } else if (each == '(' && pattern.startsWith("(?i)", at)) {
                at += 3;
            } else if (each == '(' && pattern.startsWith("(?m)", at)) {
                at += 3;
            } else if ("()|?*+^$:!=".indexOf(each) >= 0 && !(":!=".indexOf(each) >= 0 && !afterBracket(pattern, at))) {
                one = "";
            } else {
                literal.append(each);
            }
            if (one != null) {
                if (!literal.isEmpty()) {
                    pieces.add(literal.toString());
                    literal.setLength(0);
                }
                if (!one.isEmpty()) {
                    pieces.add(one);
                }
            }
        }
        if (!literal.isEmpty()) {
            pieces.add(literal.toString());
        }
        return pieces;
    }

    private static boolean afterBracket(String pattern, int at) {
        return at > 1 && pattern.startsWith("(?", at - 2);
    }

    /** The patterns in constants, in lists and in the constants of enums and records. */
    private static Map<String, Pattern> patterns()
            throws IOException, URISyntaxException, ReflectiveOperationException {
        Map<String, Pattern> found = new TreeMap<>();
        Path root = Path.of(FlexpoolCli.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (Stream<Path> files = Files.walk(root.resolve("io/flexpool/cli"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".class"))
                    .filter(each -> !each.getFileName().toString().equals("package-info.class"))
                    .toList()) {
                String name = root.relativize(file).toString().replace('/', '.');
                Class<?> type = Class.forName(name.substring(0, name.length() - ".class".length()));
                for (Field field : type.getDeclaredFields()) {
                    if (Modifier.isStatic(field.getModifiers())) {
                        field.setAccessible(true);
                        collect(type.getName() + "#" + field.getName(), field.get(null), found);
                    }
                }
            }
        }
        return found;
    }

    private static void collect(String name, Object value, Map<String, Pattern> into)
            throws ReflectiveOperationException {
        if (value instanceof Pattern pattern) {
            into.put(name, pattern);
        } else if (value instanceof Collection<?> all) {
            int at = 0;
            for (Object each : all) {
                collect(name + "[" + at++ + "]", each, into);
            }
        } else if (value instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> each : map.entrySet()) {
                collect(name + "[" + each.getKey() + "]", each.getKey(), into);
                collect(name + "[" + each.getKey() + "]", each.getValue(), into);
            }
        } else if (value != null && (value instanceof Enum<?> || value instanceof Record)) {
            for (Field field : value.getClass().getDeclaredFields()) {
                if (field.getType() == Pattern.class && !Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    into.put(name + "." + field.getName(), (Pattern) field.get(value));
                }
            }
        }
    }
}
