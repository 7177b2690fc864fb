// SPDX-License-Identifier: Apache-2.0
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Checks the rules of this project that no plugin and no portal checks, on the artifacts of a release. Run from the top folder:
 *
 * <pre>
 * java .ci/Artifacts.java modules           # the published modules, for Maven's -pl
 * java .ci/Artifacts.java check FOLDER [--final]
 * </pre>
 *
 * <p>Published is each module with a {@code src/main} for which no POM sets {@code maven.deploy.skip}, and the bill of materials.
 * {@code --final} refuses placeholders and missing signatures.
 */
final class Artifacts {
    private static final Path ROOT = Path.of("");
    private static final String BOM = "flexpool-bom";
    private static final List<String> JARS = List.of(".jar", "-sources.jar", "-javadoc.jar");
    private static final List<String> COMPONENTS = List.of("-cyclonedx.json", "-cyclonedx.xml");
    private static final int JAVA_17 = 61;

    private final Map<String, Path> published = new TreeMap<>();
    private final List<String> findings = new ArrayList<>();
    private final String group;
    private final String version;

    private Artifacts() throws Exception {
        Element root = xml(Files.readAllBytes(ROOT.resolve("pom.xml")));
        group = text(root, "groupId");
        version = text(root, "version");
        walk(ROOT, false);
    }

    public static void main(String[] args) throws Exception {
        Artifacts artifacts = new Artifacts();
        switch (args.length == 0 ? "" : args[0]) {
            case "modules" -> System.out.println(artifacts.published.values().stream()
                    .map(Path::toString)
                    .collect(Collectors.joining(",")));
            case "check" -> System.exit(artifacts.check(Path.of(args[1]), Arrays.asList(args).contains("--final")) ? 0 : 1);
            default -> {
                System.err.println("usage: java .ci/Artifacts.java modules | check FOLDER [--final]");
                System.exit(2);
            }
        }
    }

    private void walk(Path folder, boolean skipped) throws Exception {
        Element pom = xml(Files.readAllBytes(folder.resolve("pom.xml")));
        String artifact = text(pom, "artifactId");
        String own = text(pom, "properties/maven.deploy.skip");
        boolean skip = !folder.equals(ROOT) && (own.isEmpty() ? skipped : own.equals("true"));
        if (artifact.equals(BOM) || !skip && Files.isDirectory(folder.resolve("src/main"))) {
            published.put(artifact, folder);
        }
        for (Element module : all(pom, "modules/module")) {
            walk(folder.resolve(module.getTextContent().strip()), skip);
        }
    }

    private boolean check(Path folder, boolean last) throws Exception {
        Path top = folder.resolve(group.replace('.', '/'));
        try (Stream<Path> found = Files.list(top)) {
            found.map(path -> path.getFileName().toString())
                    .filter(name -> !published.containsKey(name) && !name.startsWith("maven-metadata"))
                    .forEach(name -> find(name, "is there and is not to be published"));
        }
        for (Map.Entry<String, Path> one : published.entrySet()) {
            artifact(one.getKey(), one.getValue(), top.resolve(one.getKey()).resolve(version), last);
        }
        findings.forEach(System.out::println);
        System.out.printf("%d artifacts of %s:%s, %d findings%n", published.size(), group, version, findings.size());
        return findings.isEmpty();
    }

    private void artifact(String name, Path module, Path at, boolean last) throws Exception {
        String file = name + "-" + version;
        List<String> kinds = new ArrayList<>(List.of(".pom"));
        if (!name.equals(BOM)) {
            kinds.addAll(JARS);
            kinds.addAll(COMPONENTS);
        }
        for (String kind : kinds) {
            Path path = at.resolve(file + kind);
            if (!Files.exists(path)) {
                find(name, "lacks the file " + file + kind);
                continue;
            }
            if (last && !Files.exists(at.resolve(file + kind + ".asc"))) {
                find(name, "lacks the signature of " + file + kind);
            }
            if (kind.equals(".pom")) {
                pom(name, Files.readAllBytes(path), last);
            } else if (JARS.contains(kind)) {
                jar(name, module, kind, entries(path));
            }
        }
    }

    private void pom(String name, byte[] bytes, boolean last) throws Exception {
        Element pom = xml(bytes);
        String whole = new String(bytes, StandardCharsets.UTF_8);
        if (whole.contains("${") || !all(pom, "parent").isEmpty() || !all(pom, "profiles").isEmpty()) {
            find(name, "POM has an expression, a parent or a profile");
        }
        if (last && (version.endsWith("-SNAPSHOT") || whole.contains("flexpool.example"))) {
            find(name, "POM has a placeholder: RELEASING.md");
        }
        String path = (name.equals(BOM) ? "dependencyManagement/" : "") + "dependencies/dependency";
        for (Element dependency : all(pom, path)) {
            String other = text(dependency, "artifactId");
            String its = text(dependency, "version");
            if (its.isEmpty() || Set.of("test", "system").contains(text(dependency, "scope"))) {
                find(name, "POM has a dependency without version, or of tests: " + other);
            }
            if (text(dependency, "groupId").equals(group) && (!published.containsKey(other) || !its.equals(version))) {
                find(name, "POM depends on " + other + " " + its + ", which is not published with it");
            }
        }
    }

    private void jar(String name, Path module, String kind, Map<String, byte[]> entries) throws IOException {
        for (String legal : List.of("LICENSE", "NOTICE")) {
            if (!Arrays.equals(entries.get("META-INF/" + legal), Files.readAllBytes(ROOT.resolve(legal)))) {
                find(name, kind + " lacks " + legal);
            }
        }
        Path top = module.resolve("src/main/java");
        List<String> sources;
        try (Stream<Path> files = Files.walk(top)) {
            sources = files.map(path -> top.relativize(path).toString().replace('\\', '/'))
                    .filter(path -> path.endsWith(".java"))
                    .toList();
        }
        switch (kind) {
            case ".jar" -> binary(name, entries, sources);
            case "-sources.jar" -> sources.stream()
                    .filter(source -> !entries.containsKey(source))
                    .forEach(lost -> find(name, kind + " lacks " + lost));
            default -> {
                if (!entries.containsKey("index.html") || !entries.containsKey("element-list")) {
                    find(name, kind + " has no documentation");
                }
            }
        }
    }

    private void binary(String name, Map<String, byte[]> entries, List<String> sources) throws IOException {
        byte[] manifest = entries.getOrDefault("META-INF/MANIFEST.MF", new byte[0]);
        Attributes main = new Manifest(new ByteArrayInputStream(manifest)).getMainAttributes();
        if (!version.equals(main.getValue("Implementation-Version"))) {
            find(name, "manifest has Implementation-Version " + main.getValue("Implementation-Version"));
        }
        if (main.getValue("Automatic-Module-Name") == null && !entries.containsKey("module-info.class")) {
            find(name, "has no module name");
        }
        entries.forEach((path, bytes) -> {
            if (path.endsWith(".class") && ((bytes[6] & 0xff) << 8 | bytes[7] & 0xff) != JAVA_17) {
                find(name, path + " is not of Java 17");
            }
            if (path.endsWith(".class") && !path.equals("module-info.class") && !path.startsWith("io/flexpool/")) {
                find(name, "has the class " + path);
            }
            if (path.startsWith("META-INF/services/")) {
                new String(bytes, StandardCharsets.UTF_8)
                        .lines()
                        .map(line -> line.replaceAll("#.*", "").strip())
                        .filter(line -> !line.isEmpty() && !entries.containsKey(line.replace('.', '/') + ".class"))
                        .forEach(line -> find(name, path + " names " + line + ", which is not in the jar"));
            }
        });
        sources.stream()
                .filter(source -> !source.endsWith("package-info.java"))
                .map(source -> source.replaceAll("\\.java$", ".class"))
                .filter(source -> !entries.containsKey(source))
                .forEach(source -> find(name, "lacks the class " + source));
    }

    private void find(String artifact, String text) {
        findings.add(artifact + ": " + text);
    }

    private static Map<String, byte[]> entries(Path jar) throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(jar))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                if (!entry.isDirectory()) {
                    entries.put(entry.getName(), in.readAllBytes());
                }
            }
        }
        return entries;
    }

    private static Element xml(byte[] bytes) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(bytes)).getDocumentElement();
    }

    private static List<Element> all(Element from, String path) {
        List<Element> found = List.of(from);
        for (String step : path.split("/")) {
            found = found.stream()
                    .flatMap(parent -> Stream.iterate(parent.getFirstChild(), node -> node != null, Node::getNextSibling))
                    .filter(node -> node instanceof Element child && child.getTagName().equals(step))
                    .map(Element.class::cast)
                    .toList();
        }
        return found;
    }

    private static String text(Element from, String path) {
        return all(from, path).stream().findFirst().map(one -> one.getTextContent().strip()).orElse("");
    }
}
