// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
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
 * Compares the bills of materials of a release with what an application gets. Run from the top folder, by .ci/release:
 *
 * <pre>
 * java .ci/Components.java consumers ARTIFACTS MODULES TARGET    # a build that depends on each artifact, one module each
 * java .ci/Components.java check ARTIFACTS MODULES DEPENDENCIES CYCLONEDX [--only ARTIFACT]
 * </pre>
 *
 * <p>{@code MODULES} is what {@code .ci/Artifacts.java modules} prints, {@code DEPENDENCIES} the folder with Maven's list of what each
 * of those builds gets, and {@code CYCLONEDX} one with cyclonedx-core-java, which has the schemas. The module of an extension or
 * starter imports the versions of its framework's platform; so does each application of that framework, and so does the
 * build that stands for one here: without the platform it would get other versions, and what the platform leaves out.
 */
final class Components {
    private static final Path ROOT = Path.of("");
    private static final List<String> FORMS = List.of("json", "xml");
    private static final Pattern PURL = Pattern.compile("pkg:maven/([^/\"<]+)/([^@\"<]+)@([^?\"<&]+)");
    private static final Pattern GOT = Pattern.compile("^\\s+([\\w.-]+):([\\w.-]+):jar:(?:[\\w.-]+:)?([\\w.-]+):(?:compile|runtime)");
    private static final Pattern EXPRESSION = Pattern.compile("\\$\\{([^}]+)}");

    private final Map<String, Path> modules = new TreeMap<>();
    private final List<String> findings = new ArrayList<>();
    private final Path artifacts;
    private final String group;
    private final String version;

    private Components(Path artifacts, String folders) throws Exception {
        Element root = xml(ROOT.resolve("pom.xml"));
        group = text(root, "groupId");
        version = text(root, "version");
        this.artifacts = artifacts;
        for (String folder : folders.split(",")) {
            Element pom = xml(Path.of(folder, "pom.xml"));
            if (!text(pom, "packaging").equals("pom")) {
                modules.put(text(pom, "artifactId"), Path.of(folder));
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Components components = new Components(Path.of(args[1]), args[2]);
        if (args[0].equals("consumers")) {
            components.consumers(Path.of(args[3]));
        } else {
            Set<String> asked = args.length > 6 ? Set.of(args[6]) : components.modules.keySet();
            components.check(Path.of(args[3]), Path.of(args[4]), asked);
            components.findings.forEach(System.out::println);
            System.out.printf("%d bills of materials, %d findings%n", asked.size() * FORMS.size(), components.findings.size());
            System.exit(components.findings.isEmpty() ? 0 : 1);
        }
    }

    // What an application gets.

    private void consumers(Path target) throws Exception {
        StringBuilder list = new StringBuilder();
        String head = "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>"
                + "<groupId>consumer</groupId><version>1</version><artifactId>";
        String from = "<repositories><repository><id>staged</id><url>" + artifacts.toUri() + "</url></repository></repositories>";
        for (Map.Entry<String, Path> module : modules.entrySet()) {
            String platforms = platforms(module.getValue()).stream()
                    .map(platform -> "<dependency>" + platform + "<type>pom</type><scope>import</scope></dependency>")
                    .collect(Collectors.joining());
            list.append("<module>").append(module.getKey()).append("</module>");
            Files.createDirectories(target.resolve(module.getKey()));
            Files.writeString(
                    target.resolve(module.getKey()).resolve("pom.xml"),
                    head + module.getKey() + "-consumer</artifactId>" + from + "<dependencyManagement><dependencies>" + platforms
                            + "</dependencies></dependencyManagement><dependencies><dependency>"
                            + coordinates(group, module.getKey(), version) + "</dependency></dependencies></project>");
        }
        Files.writeString(
                target.resolve("pom.xml"),
                head + "consumers</artifactId><packaging>pom</packaging><modules>" + list + "</modules></project>");
    }

    /** What the module or a folder above it imports, the nearest first; an application never sees what the root manages. */
    private static List<String> platforms(Path module) throws Exception {
        List<Element> poms = new ArrayList<>();
        for (Path folder = module; folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("pom.xml"))) {
                poms.add(xml(folder.resolve("pom.xml")));
            }
        }
        List<Element> known = new ArrayList<>(poms);
        known.add(xml(ROOT.resolve("pom.xml")));
        List<String> platforms = new ArrayList<>();
        for (Element pom : poms) {
            for (Element managed : all(pom, "dependencyManagement/dependencies/dependency")) {
                if (text(managed, "scope").equals("import")) {
                    platforms.add(coordinates(
                            text(managed, "groupId"), text(managed, "artifactId"), interpolated(text(managed, "version"), known)));
                }
            }
        }
        return platforms;
    }

    private static String interpolated(String text, List<Element> poms) {
        return EXPRESSION.matcher(text).replaceAll(found -> poms.stream()
                .map(pom -> text(pom, "properties/" + found.group(1)))
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no POM has the property " + found.group(1))));
    }

    private static String coordinates(String group, String artifact, String version) {
        return "<groupId>" + group + "</groupId><artifactId>" + artifact + "</artifactId><version>" + version + "</version>";
    }

    // The check.

    private void check(Path dependencies, Path cyclonedx, Set<String> asked) throws Exception {
        ClassLoader schemas = libraries(cyclonedx);
        for (String artifact : asked) {
            Path at = artifacts.resolve(group.replace('.', '/')).resolve(artifact).resolve(version);
            boolean onPlatform = !platforms(modules.get(artifact)).isEmpty();
            for (String form : FORMS) {
                Path file = at.resolve(artifact + "-" + version + "-cyclonedx." + form);
                if (Files.exists(file)) {
                    compare(artifact, file, Files.readAllLines(dependencies.resolve(artifact + "-consumer.txt")), onPlatform);
                    validate(artifact, file, schemas);
                } else {
                    find(artifact, "lacks the file " + file.getFileName());
                }
            }
        }
    }

    private void compare(String artifact, Path file, List<String> got, boolean onPlatform) throws Exception {
        String what = file.getFileName().toString();
        String own = group + ":" + artifact + ":" + version;
        Set<String> listed = found(PURL, List.of(Files.readString(file)));
        Set<String> wanted = found(GOT, got);
        if (!listed.remove(own)) {
            find(artifact, what + " does not describe its own artifact");
        }
        if (!wanted.remove(own)) {
            find(artifact, "no application gets it: " + wanted);
        }
        // What an application gets only if it asks for it is listed, and marked as optional.
        Set<String> optional = optional(file);
        if (onPlatform) {
            // Which version is decided by the release of the platform that the application has.
            listed = named(listed);
            wanted = named(wanted);
            optional = named(optional);
        }
        minus(wanted, listed).forEach(lost -> find(artifact, what + " lacks " + lost));
        minus(minus(listed, optional), wanted).forEach(more -> find(artifact, what + " has " + more + ", which no application gets"));
    }

    private void validate(String artifact, Path file, ClassLoader schemas) throws Exception {
        String what = file.getFileName().toString();
        Class<?> type = schemas.loadClass("org.cyclonedx.parsers." + (what.endsWith(".json") ? "JsonParser" : "XmlParser"));
        Thread.currentThread().setContextClassLoader(schemas);
        List<?> faults =
                (List<?>) type.getMethod("validate", java.io.File.class).invoke(type.getConstructor().newInstance(), file.toFile());
        faults.forEach(fault -> find(artifact, what + " is not valid: " + fault));
    }

    /** From the form in XML, also for the one in JSON. */
    private static Set<String> optional(Path file) throws Exception {
        Path form = file.resolveSibling(file.getFileName().toString().replaceAll("json$", "xml"));
        Set<String> optional = new TreeSet<>();
        if (Files.exists(form)) {
            for (Element component : all(xml(form), "components/component")) {
                if (text(component, "scope").equals("optional")) {
                    optional.add(text(component, "group") + ":" + text(component, "name") + ":" + text(component, "version"));
                }
            }
        }
        return optional;
    }

    private static Set<String> found(Pattern component, List<String> texts) {
        return texts.stream()
                .flatMap(text -> component.matcher(text).results())
                .map(found -> found.group(1) + ":" + found.group(2) + ":" + found.group(3))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> named(Set<String> components) {
        return components.stream().map(one -> one.substring(0, one.lastIndexOf(':'))).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> minus(Set<String> all, Set<String> without) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(without);
        return rest;
    }

    private void find(String artifact, String what) {
        findings.add(artifact + ": " + what);
    }

    private static ClassLoader libraries(Path folder) throws IOException {
        try (Stream<Path> jars = Files.list(folder)) {
            List<URL> urls = new ArrayList<>();
            for (Path jar : jars.filter(path -> path.toString().endsWith(".jar")).toList()) {
                urls.add(jar.toUri().toURL());
            }
            return new URLClassLoader(urls.toArray(URL[]::new));
        }
    }

    // XML, as in .ci/Artifacts.java: a program that is started from its source is one file.

    private static Element xml(Path file) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile()).getDocumentElement();
    }

    private static Stream<Element> children(Element parent) {
        return Stream.iterate(parent.getFirstChild(), node -> node != null, Node::getNextSibling)
                .filter(Element.class::isInstance)
                .map(Element.class::cast);
    }

    private static List<Element> all(Element from, String path) {
        List<Element> found = List.of(from);
        for (String step : path.split("/")) {
            found = found.stream().flatMap(Components::children).filter(child -> child.getTagName().equals(step)).toList();
        }
        return found;
    }

    private static String text(Element from, String path) {
        return all(from, path).stream().findFirst().map(one -> one.getTextContent().strip()).orElse("");
    }
}
