// SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * The licences of all that the published artifacts depend on, as their POMs declare them. Run by .ci/release:
 *
 * <pre>
 * java .ci/Licences.java ARTIFACTS DEPENDENCIES LOCAL-REPOSITORY PAGE
 * </pre>
 *
 * <p>Writes the table to PAGE, which stands beside the bundle of the release. What comes with an artifact is Maven's list of its run time;
 * what an application brings itself (a pool, a framework) stands in the artifact's POM with the scope provided, or as optional.
 */
final class Licences {
    /** Declared in so many ways: the names of the SPDX list, by what the POMs say. */
    private static final Map<Pattern, String> NAMES = names();
    /** They depend on parts of Quarkus, as each extension of it must. */
    private static final Set<String> EXTENSION = Set.of("flexpool-quarkus", "flexpool-quarkus-deployment");

    private final Path repository;
    private final Map<String, Entry> entries = new TreeMap<>();

    /** One dependency. */
    private record Entry(String licences, Set<String> comesWith, Set<String> neededBy) {
        private Set<String> comesWithMoreThanTheExtension() {
            return EXTENSION.containsAll(comesWith) ? Set.of() : comesWith;
        }

        private Set<String> comesWithTheExtensionAlone() {
            return EXTENSION.containsAll(comesWith) ? comesWith : Set.of();
        }
    }

    private Licences(Path repository) {
        this.repository = repository;
    }

    public static void main(String[] args) throws Exception {
        Licences licences = new Licences(Path.of(args[2]));
        licences.read(Path.of(args[0]), Path.of(args[1]));
        Files.writeString(Path.of(args[3]), licences.page());
        System.out.printf("%d dependencies with their licences%n", licences.entries.size());
    }

    private void read(Path artifacts, Path dependencies) throws Exception {
        Pattern line = Pattern.compile("^\\s+([\\w.-]+):([\\w.-]+):jar:(?:[\\w.-]+:)?([\\w.-]+):(?:compile|runtime)");
        Set<String> ours = new TreeSet<>();
        Map<String, Element> poms = new TreeMap<>();
        try (Stream<Path> files = Files.walk(artifacts)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".pom")).sorted().toList()) {
                Element pom = xml(file);
                poms.put(text(pom, "artifactId"), pom);
                ours.add(text(pom, "groupId") + ":" + text(pom, "artifactId"));
            }
        }
        for (Map.Entry<String, Element> one : poms.entrySet()) {
            Path list = dependencies.resolve(one.getKey() + "-consumer.txt");
            if (Files.exists(list)) {
                for (String found : Files.readAllLines(list)) {
                    line.matcher(found).results()
                            .filter(at -> !ours.contains(at.group(1) + ":" + at.group(2)))
                            .forEach(at -> entry(at.group(1), at.group(2), at.group(3)).comesWith().add(one.getKey()));
                }
            }
            for (Element dependency : all(one.getValue(), "dependencies/dependency")) {
                boolean brought = text(dependency, "scope").equals("provided") || text(dependency, "optional").equals("true");
                if (brought && !ours.contains(text(dependency, "groupId") + ":" + text(dependency, "artifactId"))) {
                    entry(text(dependency, "groupId"), text(dependency, "artifactId"), text(dependency, "version"))
                            .neededBy()
                            .add(one.getKey());
                }
            }
        }
    }

    private Entry entry(String group, String artifact, String version) {
        return entries.computeIfAbsent(
                group + ":" + artifact, key -> new Entry(licences(group, artifact, version), new TreeSet<>(), new TreeSet<>()));
    }

    private String licences(String group, String artifact, String version) {
        try {
            Path file = repository.resolve(group.replace('.', '/')).resolve(artifact).resolve(version).resolve(artifact + "-" + version + ".pom");
            if (!Files.exists(file)) {
                return "(no POM at hand)";
            }
            Element pom = xml(file);
            List<String> found = new ArrayList<>();
            for (Element licence : all(pom, "licenses/license")) {
                String said = (text(licence, "name") + " " + text(licence, "url")).strip();
                String name = NAMES.entrySet().stream()
                        .filter(known -> known.getKey().matcher(said).find())
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElse(text(licence, "name"));
                if (!found.contains(name)) {
                    found.add(name);
                }
            }
            if (!found.isEmpty()) {
                return String.join(" or ", found);
            }
            Element parent = all(pom, "parent").stream().findFirst().orElse(null);
            return parent == null ? "none declared" : licences(text(parent, "groupId"), text(parent, "artifactId"), text(parent, "version"));
        } catch (Exception unreadable) {
            return "(" + unreadable + ")";
        }
    }

    /** The first that is found, so the narrower ones first. */
    private static Map<Pattern, String> names() {
        Map<Pattern, String> names = new java.util.LinkedHashMap<>();
        String[][] known = {
            {"(?i)apache.*2|apache-2|apache software license", "Apache-2.0"},
            {"(?i)lgpl.*2\\.1|lesser general public license.*2\\.1|lgpl-2\\.1|lgpl-2\\.1-or", "LGPL-2.1"},
            {"(?i)lesser general public|\\blgpl", "LGPL (no version declared)"},
            {"(?i)classpath.?exception|GPL2 w/ CPE|gpl.*with.*classpath", "GPL-2.0 with Classpath exception"},
            {"(?i)universal.foss.exception|GPL.*foss", "GPL-2.0 with Universal FOSS exception"},
            {"(?i)eclipse public license.*2|epl-2|epl 2", "EPL-2.0"},
            {"(?i)eclipse public license.*1|epl-1|epl 1", "EPL-1.0"},
            {"(?i)eclipse distribution|edl|bsd-3|bsd 3|new bsd|3-clause", "BSD-3-Clause"},
            {"(?i)bsd-2|bsd 2|2-clause|simplified bsd", "BSD-2-Clause"},
            {"(?i)public domain.*creativecommons|cc0", "CC0-1.0"},
            {"(?i)mpl 2|mpl-2|mozilla public license.*2", "MPL-2.0"},
            {"(?i)universal permissive license|upl-1", "UPL-1.0"},
            {"(?i)mit license|\\bmit\\b|opensource.org/licenses/mit", "MIT"},
            {"(?i)oracle free use", "Oracle Free Use Terms and Conditions"},
        };
        for (String[] one : known) {
            names.put(Pattern.compile(one[0]), one[1]);
        }
        return names;
    }

    private String page() {
        StringBuilder text = new StringBuilder("""
                # Licences of dependencies

                flexpool is under the Apache License 2.0 and contains no code of others. What its artifacts depend on, with the licences that the
                dependencies' own POMs declare; of several, each stands after an "or" and the POM says which apply together. Written by
                `.ci/release`.

                ## What comes with an artifact

                """);
        table(text, Entry::comesWithMoreThanTheExtension, "comes with");
        text.append("""

                ## What comes with Quarkus

                The extension for Quarkus depends on parts of Quarkus, as each extension does. An application of Quarkus has them anyway, in the versions
                of its platform. What comes with `quarkus-deployment` alone runs while an application is built and is not in it.

                """);
        table(text, Entry::comesWithTheExtensionAlone, "comes with");
        text.append("""

                ## What an application brings itself

                An adapter, a backend or a framework's module is compiled against these and does not pull them in: they are the application's own
                choice, and so is their licence. Oracle's UCP and driver are free to use under Oracle's terms and not open source, Atomikos has a scheme
                of its own, c3p0, MariaDB's driver and Hibernate are under weak copyleft, MySQL's driver under the GPL with an exception.

                """);
        table(text, Entry::neededBy, "used by");
        return text.toString();
    }

    private void table(StringBuilder text, java.util.function.Function<Entry, Set<String>> modules, String head) {
        text.append("| dependency | licence | ").append(head).append(" |\n|---|---|---|\n");
        entries.forEach((name, entry) -> {
            if (!modules.apply(entry).isEmpty()) {
                text.append("| `").append(name).append("` | ").append(entry.licences()).append(" | ").append(shown(modules.apply(entry))).append(" |\n");
            }
        });
    }

    /** What comes with core comes with all. */
    private static String shown(Set<String> modules) {
        return modules.contains("flexpool-core")
                ? "all"
                : modules.stream().map(name -> "`" + name.replaceFirst("^flexpool-", "") + "`").collect(Collectors.joining(", "));
    }

    private static Element xml(Path file) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        return factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
    }

    private static Stream<Element> children(Element parent) {
        return Stream.iterate(parent.getFirstChild(), node -> node != null, Node::getNextSibling)
                .filter(Element.class::isInstance)
                .map(Element.class::cast);
    }

    private static List<Element> all(Element from, String path) {
        List<Element> found = List.of(from);
        for (String step : path.split("/")) {
            found = found.stream().flatMap(Licences::children).filter(child -> child.getTagName().equals(step)).toList();
        }
        return found;
    }

    private static String text(Element from, String path) {
        return all(from, path).stream().findFirst().map(one -> one.getTextContent().strip().replaceAll("\\s+", " ")).orElse("");
    }
}
