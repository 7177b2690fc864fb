// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counts what core's layout is judged by, from its sources. Run by {@code java .ci/House.java}, from the top folder. */
final class House {
    private static final Path SOURCES = Path.of("flexpool-core/src/main/java");
    private static final Pattern IMPORT =
            Pattern.compile("^import (?:static )?((?:io\\.flexpool)(?:\\.[a-z]\\w*)*)\\.([A-Z]\\w*)", Pattern.MULTILINE);
    private static final Pattern PUBLIC_TYPE =
            Pattern.compile("^public [\\w ]*\\b(?:class|interface|record|enum|@interface) ", Pattern.MULTILINE);

    /** One source file. */
    private record Source(String room, String type, String text) {
        static Source of(Path file) {
            try {
                String text = Files.readString(file);
                Path folder = SOURCES.relativize(file.getParent());
                String name = file.getFileName().toString();
                return new Source(
                        folder.toString().replace('/', '.'), name.substring(0, name.length() - ".java".length()), text);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        /** Without comments and strings, where a name is no reference. */
        String code() {
            return text.replaceAll("(?s)/\\*.*?\\*/", "").replaceAll("//[^\\n]*", "").replaceAll("\"(?:\\\\.|[^\"\\\\])*\"", "");
        }
    }

    private final List<Source> sources;

    private House(List<Source> sources) {
        this.sources = sources;
    }

    public static void main(String[] central) throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            House house = new House(files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("module-info.java") && !file.endsWith("package-info.java"))
                    .sorted()
                    .map(Source::of)
                    .toList());
            house.print(central.length == 0 ? "AcquiringPool" : central[0]);
        }
    }

    private void print(String central) throws IOException {
        Source centre = sources.stream()
                .filter(source -> source.type().equals(central))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no class " + central));
        Set<String> named = named(centre);
        long lines = sources.stream().mapToLong(source -> source.text().lines().count()).sum();
        Map<String, Set<String>> arrows = arrows();
        System.out.printf("%s: %d lines, %d project types: %s%n", central, centre.text().lines().count(), named.size(), named);
        System.out.printf("core: %d files, %d lines%n", sources.size(), lines);
        System.out.printf("exported types: %s%n", exported());
        System.out.printf(
                "arrows between rooms: %d, between all packages: %d%n",
                arrows.entrySet().stream()
                        .filter(arrow -> inside(arrow.getKey()))
                        .mapToLong(arrow -> arrow.getValue().stream().filter(House::inside).count())
                        .sum(),
                arrows.values().stream().mapToInt(Set::size).sum());
        arrows.forEach((room, others) -> System.out.printf("  %s -> %s%n", room, String.join(", ", others)));
        System.out.printf("packages in a circle: %s%n", circles(arrows));
    }

    private static boolean inside(String room) {
        return room.startsWith("io.flexpool.internal");
    }

    /** Top-level types of the project that a source names, imported or of its own package. */
    private Set<String> named(Source source) {
        Set<String> named = new TreeSet<>();
        String code = source.code();
        Matcher imports = IMPORT.matcher(code);
        while (imports.find()) {
            named.add(imports.group(2));
        }
        sources.stream()
                .filter(other -> other.room().equals(source.room()) && !other.type().equals(source.type()))
                .filter(other -> Pattern.compile("(?<![\\w.])" + other.type() + "\\b").matcher(code).find())
                .forEach(other -> named.add(other.type()));
        return named;
    }

    private Map<String, Long> exported() throws IOException {
        String module = Files.readString(SOURCES.resolve("module-info.java"));
        Set<String> exports = Pattern.compile("exports ([\\w.]+);")
                .matcher(module)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, Long> counts = new TreeMap<>(sources.stream()
                .filter(source -> exports.contains(source.room()) && PUBLIC_TYPE.matcher(source.text()).find())
                .collect(Collectors.groupingBy(Source::room, Collectors.counting())));
        counts.put("all", counts.values().stream().mapToLong(Long::longValue).sum());
        return counts;
    }

    private Map<String, Set<String>> arrows() {
        Map<String, Set<String>> arrows = new TreeMap<>();
        for (Source source : sources) {
            Matcher imports = IMPORT.matcher(source.code());
            while (imports.find()) {
                if (!imports.group(1).equals(source.room())) {
                    arrows.computeIfAbsent(source.room(), room -> new TreeSet<>()).add(imports.group(1));
                }
            }
        }
        return arrows;
    }

    private static Set<String> circles(Map<String, Set<String>> arrows) {
        Set<String> circles = new TreeSet<>();
        for (String room : arrows.keySet()) {
            Set<String> seen = new TreeSet<>();
            List<String> next = new ArrayList<>(arrows.get(room));
            while (!next.isEmpty()) {
                String at = next.remove(next.size() - 1);
                if (seen.add(at)) {
                    next.addAll(arrows.getOrDefault(at, Set.of()));
                }
            }
            if (seen.contains(room)) {
                circles.add(room);
            }
        }
        return circles;
    }
}
