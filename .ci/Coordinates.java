// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Under which name, version and address flexpool is published. Run from the top folder:
 *
 * <pre>
 * java .ci/Coordinates.java show
 * java .ci/Coordinates.java group com.example.flexpool   # the group id, in every POM, in the pages, in messages that name an artifact
 * java .ci/Coordinates.java version 0.1.0                # the version, in every POM and in the pages
 * java .ci/Coordinates.java home https://git.example.com/flexpool
 * </pre>
 *
 * <p>A command, because Maven allows no property here: a module finds its parent by the literal group id, before there are properties.
 *
 * <p>The root's POM has the value that holds, and everything follows it; nothing is committed. Java's packages, the names of
 * modules, keys and metrics are the API and stay what they are.
 */
final class Coordinates {
    private static final Set<String> KINDS = Set.of("xml", "md", "java", "kt", "kts", "gradle", "properties", "yml", "yaml");
    private static final Set<String> NOT_OURS = Set.of("target", ".git", "node_modules", "build");
    private static final Pattern GROUP = Pattern.compile("[a-z][a-z0-9_-]*(\\.[a-z][a-z0-9_-]*)+");
    private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\.\\d+(-[A-Za-z0-9.]+)?");
    private static final Pattern HOME = Pattern.compile("https://[\\w.-]+(/[\\w.-]+)+");

    private final Path root;
    private final String group;
    private final String version;
    private final String home;
    private int changed;

    private Coordinates(Path root) throws IOException {
        this.root = root;
        String pom = Files.readString(root.resolve("pom.xml"));
        this.group = first(pom, "<groupId>(.+?)</groupId>");
        this.version = first(pom, "<version>(.+?)</version>");
        this.home = first(pom, "<flexpool.home>(.+?)</flexpool.home>");
    }

    public static void main(String[] args) throws IOException {
        Coordinates now = new Coordinates(Path.of(""));
        String what = args.length == 0 ? "" : args[0];
        if (what.equals("show") && args.length == 1) {
            System.out.printf("group %s%nversion %s%nhome %s%n", now.group, now.version, now.home);
        } else if (what.equals("group") && args.length == 2) {
            now.rewrite(now.group(valid(what, args[1], GROUP, "lower-case names with dots between, such as com.example.flexpool")));
        } else if (what.equals("version") && args.length == 2) {
            now.rewrite(now.version(valid(what, args[1], VERSION, "three numbers, such as 0.1.0 or 0.2.0-SNAPSHOT")));
        } else if (what.equals("home") && args.length == 2) {
            now.rewrite(now.home(valid(what, args[1], HOME, "an address that begins with https:// and does not end with a slash")));
        } else {
            System.err.println("usage: java .ci/Coordinates.java show | group GROUP | version VERSION | home URL");
            System.exit(2);
        }
    }

    private static String valid(String what, String value, Pattern allowed, String rule) {
        if (!allowed.matcher(value).matches()) {
            System.err.printf("%s = %s: must be %s%n", what, value, rule);
            System.exit(2);
        }
        return value;
    }

    private static String first(String text, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        if (!found.find()) {
            throw new IllegalStateException("the root's POM has no " + pattern);
        }
        return found.group(1);
    }

    private UnaryOperator<String> group(String other) {
        return text -> text.replace("<groupId>" + group + "</groupId>", "<groupId>" + other + "</groupId>")
                .replaceAll("(?<![\\w.])" + Pattern.quote(group) + ":(?=flexpool-|\")", Matcher.quoteReplacement(other + ":"));
    }

    /** Beside the name of one of our artifacts only: another project may have the same version. */
    private UnaryOperator<String> version(String other) {
        Pattern element = Pattern.compile("(<groupId>" + Pattern.quote(group) + "</groupId>\\s*<artifactId>[^<]+</artifactId>\\s*<version>)"
                + Pattern.quote(version) + "(?=</version>)");
        Pattern line = Pattern.compile("(" + Pattern.quote(group) + ":flexpool-[\\w-]+:)" + Pattern.quote(version) + "(?![\\w.-])");
        String to = "$1" + Matcher.quoteReplacement(other);
        return text -> line.matcher(element.matcher(text).replaceAll(to)).replaceAll(to);
    }

    private UnaryOperator<String> home(String other) {
        return text -> text.replace(home, other);
    }

    private void rewrite(UnaryOperator<String> change) throws IOException {
        walk(root, change);
        System.out.println(changed + " files changed");
    }

    private void walk(Path folder, UnaryOperator<String> change) throws IOException {
        try (Stream<Path> inside = Files.list(folder)) {
            for (Path path : inside.toList()) {
                String name = path.getFileName().toString();
                if (Files.isDirectory(path)) {
                    if (!NOT_OURS.contains(name)) {
                        walk(path, change);
                    }
                } else if (KINDS.contains(name.substring(name.lastIndexOf('.') + 1)) && !name.equals("CHANGELOG.md")) {
                    change(path, change);
                }
            }
        }
    }

    private void change(Path file, UnaryOperator<String> change) throws IOException {
        try {
            String before = Files.readString(file);
            String after = change.apply(before);
            if (!after.equals(before)) {
                Files.writeString(file, after);
                changed++;
            }
        } catch (MalformedInputException notText) {
            // Of another encoding: none of the texts above.
        }
    }
}
