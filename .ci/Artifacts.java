// SPDX-License-Identifier: Apache-2.0
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Checks what a release would publish, file by file, against the sources that it was made from. Run from the top folder:
 *
 * <pre>
 * java .ci/Artifacts.java modules                    # the published modules, for Maven's -pl
 * java .ci/Artifacts.java check FOLDER [--only ARTIFACT] [--other FOLDER] [--final]
 * </pre>
 *
 * <p>What is published follows from the POMs: each module with a {@code src/main} for which nothing sets
 * {@code maven.deploy.skip}, and the bill of materials. {@code --other} is a second build, which must have the same bytes;
 * {@code --final} wants signatures and no placeholder. What the bills of materials say is compared by .ci/Components.java.
 */
final class Artifacts {
    private static final Path ROOT = Path.of("");
    private static final String BOM = "flexpool-bom";
    private static final List<String> JARS = List.of(".jar", "-sources.jar", "-javadoc.jar");
    private static final List<String> COMPONENTS = List.of("-cyclonedx.json", "-cyclonedx.xml");
    private static final List<String> POM_NEEDS = List.of(
            "name", "description", "url", "inceptionYear", "organization/name", "organization/url", "licenses/license/name",
            "licenses/license/url", "developers/developer/name", "scm/connection", "scm/developerConnection", "scm/url",
            "issueManagement/system", "issueManagement/url");
    private static final Set<String> POM_LACKS = Set.of(
            "parent", "profiles", "build", "properties", "modules", "repositories", "pluginRepositories", "reporting",
            "distributionManagement", "prerequisites");
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
        List<String> options = Arrays.asList(args);
        switch (args.length == 0 ? "" : args[0]) {
            case "modules" -> System.out.println(artifacts.published.values().stream()
                    .map(Path::toString)
                    .collect(Collectors.joining(",")));
            case "check" -> System.exit(artifacts.check(Path.of(args[1]), options) ? 0 : 1);
            default -> {
                System.err.println("usage: java .ci/Artifacts.java modules | check FOLDER [options]");
                System.exit(2);
            }
        }
    }

    // What is published.

    private void walk(Path folder, boolean skipped) throws Exception {
        Element pom = xml(Files.readAllBytes(folder.resolve("pom.xml")));
        String artifact = text(pom, "artifactId");
        boolean skip = folder.equals(ROOT)
                ? false
                : text(pom, "properties/maven.deploy.skip").isEmpty() ? skipped : text(pom, "properties/maven.deploy.skip").equals("true");
        if (artifact.equals(BOM) || !skip && Files.isDirectory(folder.resolve("src/main"))) {
            published.put(artifact, folder);
        }
        for (Element module : all(pom, "modules/module")) {
            walk(folder.resolve(module.getTextContent().strip()), skip);
        }
    }

    // The check.

    private boolean check(Path folder, List<String> options) throws Exception {
        String only = option(options, "--only");
        Map<String, Path> asked = new TreeMap<>(published);
        if (only == null) {
            try (Stream<Path> found = Files.list(folder.resolve(group.replace('.', '/')))) {
                found.map(path -> path.getFileName().toString())
                        .filter(name -> !published.containsKey(name) && !name.startsWith("maven-metadata"))
                        .forEach(name -> find(name, "is there and is not to be published"));
            }
        } else {
            asked.keySet().retainAll(Set.of(only));
        }
        for (Map.Entry<String, Path> one : asked.entrySet()) {
            Path at = folder.resolve(group.replace('.', '/')).resolve(one.getKey()).resolve(version);
            if (Files.isDirectory(at)) {
                artifact(one.getKey(), one.getValue(), at, options);
            } else {
                find(one.getKey(), "is missing");
            }
        }
        String other = option(options, "--other");
        if (other != null) {
            sameBytes(folder, Path.of(other));
        }
        findings.forEach(System.out::println);
        System.out.printf("%d artifacts of %s:%s, %d findings%n", asked.size(), group, version, findings.size());
        return findings.isEmpty();
    }

    private void artifact(String name, Path module, Path at, List<String> options) throws Exception {
        boolean last = options.contains("--final");
        String file = name + "-" + version;
        List<String> kinds = new ArrayList<>(List.of(".pom"));
        if (!name.equals(BOM)) {
            kinds.addAll(JARS);
            kinds.addAll(COMPONENTS);
        }
        Set<String> expected = new TreeSet<>();
        for (String kind : kinds) {
            for (String signed : last ? List.of("", ".asc") : List.of("")) {
                expected.addAll(List.of(file + kind + signed, file + kind + signed + ".md5", file + kind + signed + ".sha1"));
            }
        }
        Set<String> there;
        try (Stream<Path> files = Files.list(at)) {
            there = files.map(path -> path.getFileName().toString())
                    .filter(path -> !path.startsWith("maven-metadata"))
                    // Whether a signature has checksums of its own is the plugin's matter.
                    .filter(path -> !path.matches(".*\\.asc\\.(md5|sha1)"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
        expected.removeIf(path -> path.matches(".*\\.asc\\.(md5|sha1)"));
        minus(expected, there).forEach(path -> find(name, "lacks the file " + path));
        minus(there, expected).forEach(path -> find(name, "has the file " + path + ", which is not expected"));
        for (String path : there) {
            if (path.endsWith(".md5") || path.endsWith(".sha1")) {
                checksum(name, at, path);
            }
        }
        if (Files.exists(at.resolve(file + ".pom"))) {
            pom(name, Files.readAllBytes(at.resolve(file + ".pom")), last);
        }
        if (!name.equals(BOM)) {
            Set<String> classes = Files.exists(at.resolve(file + ".jar")) ? entries(at.resolve(file + ".jar")).keySet() : Set.of();
            for (String kind : JARS) {
                if (Files.exists(at.resolve(file + kind))) {
                    jar(name, module, kind, entries(at.resolve(file + kind)), classes);
                }
            }
        }
    }

    private void checksum(String name, Path at, String sum) throws Exception {
        String algorithm = sum.endsWith(".md5") ? "MD5" : "SHA-1";
        Path of = at.resolve(sum.substring(0, sum.lastIndexOf('.')));
        if (Files.exists(of)) {
            String is = HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(of)));
            if (!Files.readString(at.resolve(sum)).strip().equals(is)) {
                find(name, sum + " is not the checksum of its file");
            }
        }
    }

    private void pom(String name, byte[] bytes, boolean last) throws Exception {
        Element pom = xml(bytes);
        String whole = new String(bytes, StandardCharsets.UTF_8);
        POM_NEEDS.stream()
                .filter(path -> all(pom, path).isEmpty() || all(pom, path).stream().anyMatch(one -> one.getTextContent().isBlank()))
                .forEach(path -> find(name, "POM lacks " + path));
        children(pom).map(Element::getTagName).filter(POM_LACKS::contains).forEach(tag -> find(name, "POM has <" + tag + ">"));
        if (whole.contains("${")) {
            find(name, "POM has an expression: " + whole.substring(whole.indexOf("${"), whole.indexOf('}', whole.indexOf("${")) + 1));
        }
        if (!text(pom, "groupId").equals(group) || !text(pom, "artifactId").equals(name) || !text(pom, "version").equals(version)) {
            find(name, "POM has other coordinates");
        }
        if (last && (version.endsWith("-SNAPSHOT") || whole.contains("flexpool.example"))) {
            find(name, "POM has a placeholder: java .ci/Coordinates.java show");
        }
        for (Element dependency : all(pom, name.equals(BOM) ? "dependencyManagement/dependencies/dependency" : "dependencies/dependency")) {
            String other = text(dependency, "artifactId");
            if (text(dependency, "version").isEmpty() || Set.of("test", "system").contains(text(dependency, "scope"))) {
                find(name, "POM has a dependency without version, or of tests: " + other);
            }
            if (text(dependency, "groupId").equals(group)
                    && (!published.containsKey(other) || !text(dependency, "version").equals(version))) {
                find(name, "POM depends on " + other + " " + text(dependency, "version") + ", which is not published with it");
            }
        }
        if (name.equals(BOM)) {
            Set<String> listed = all(pom, "dependencyManagement/dependencies/dependency").stream()
                    .map(dependency -> text(dependency, "artifactId"))
                    .collect(Collectors.toCollection(TreeSet::new));
            minus(minus(published.keySet(), Set.of(BOM)), listed).forEach(missing -> find(name, "POM does not list " + missing));
        } else if (!all(pom, "dependencyManagement").isEmpty()) {
            find(name, "POM has <dependencyManagement>");
        }
    }

    private void jar(String name, Path module, String kind, Map<String, byte[]> entries, Set<String> classes) throws IOException {
        for (String legal : List.of("LICENSE", "NOTICE")) {
            if (!Arrays.equals(entries.get("META-INF/" + legal), Files.readAllBytes(ROOT.resolve(legal)))) {
                find(name, kind + " lacks " + legal);
            }
        }
        Set<String> sources = sources(module.resolve("src/main"));
        switch (kind) {
            case ".jar" -> binary(name, module, entries, sources);
            case "-sources.jar" -> {
                Set<String> packed = entries.keySet().stream().filter(Artifacts::isSource).collect(Collectors.toCollection(TreeSet::new));
                minus(sources, packed).forEach(lost -> find(name, kind + " lacks " + lost));
                minus(packed, sources).stream()
                        .filter(more -> !generated(more, sources, classes))
                        .forEach(more -> find(name, kind + " has " + more + ", which is no source of the module"));
            }
            default -> {
                if (!entries.containsKey("index.html") || !entries.containsKey("element-list")) {
                    find(name, kind + " has no documentation");
                }
            }
        }
    }

    /** What a processor has written beside a source is a source too if its class is in the jar: a debugger wants it. */
    private static boolean generated(String packed, Set<String> sources, Set<String> classes) {
        String path = packed.replaceAll("\\.java$", "");
        return !path.equals(packed) && classes.contains(path + ".class") && sources.contains(outermost(path) + ".java");
    }

    /** The type in whose file a type is declared, or from which a processor has made it: {@code A$B}, {@code $A$Definition}. */
    private static String outermost(String path) {
        int name = path.lastIndexOf('/') + 1;
        return path.substring(0, name) + path.substring(name).replaceAll("^\\$", "").replaceAll("(?<=.)\\$.*", "");
    }

    private void binary(String name, Path module, Map<String, byte[]> entries, Set<String> sources) throws IOException {
        Manifest manifest = new Manifest(new ByteArrayInputStream(entries.getOrDefault("META-INF/MANIFEST.MF", new byte[0])));
        Attributes main = manifest.getMainAttributes();
        if (!version.equals(main.getValue("Implementation-Version"))) {
            find(name, "manifest has Implementation-Version " + main.getValue("Implementation-Version"));
        }
        if (main.getValue("Automatic-Module-Name") == null && !entries.containsKey("module-info.class")) {
            find(name, "has no module name");
        }
        for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
            String path = entry.getKey();
            if (path.endsWith(".class")) {
                String outermost = outermost(path.substring(0, path.length() - ".class".length()));
                boolean known = sources.contains(outermost + ".java")
                        || sources.contains(outermost + ".kt")
                        || sources.contains(outermost.replaceAll("Kt$", ".kt"))
                        || besideAnother(module, outermost, sources);
                if (!known) {
                    find(name, "has the class " + path + ", which no source in src/main has");
                }
                int major = (entry.getValue()[6] & 0xff) << 8 | entry.getValue()[7] & 0xff;
                if (major != JAVA_17) {
                    find(name, path + " is of class file version " + major);
                }
            } else if (path.startsWith("META-INF/services/")) {
                new String(entry.getValue(), StandardCharsets.UTF_8)
                        .lines()
                        .map(line -> line.replaceAll("#.*", "").strip())
                        .filter(line -> !line.isEmpty() && !entries.containsKey(line.replace('.', '/') + ".class"))
                        .forEach(line -> find(name, path + " names " + line + ", which is not in the jar"));
            } else if (path.startsWith("META-INF/maven/") && path.endsWith("/pom.xml") && new String(entry.getValue(), StandardCharsets.UTF_8).contains("<parent>")) {
                find(name, path + " has a parent");
            }
        }
        sources.stream()
                .filter(source -> source.endsWith(".java") && !source.endsWith("package-info.java"))
                .map(source -> source.replaceAll("\\.java$", ".class"))
                .filter(source -> !entries.containsKey(source))
                .forEach(source -> find(name, "lacks the class " + source));
    }

    /** A type that stands in the file of another one of its package. */
    private static boolean besideAnother(Path module, String type, Set<String> sources) throws IOException {
        String folder = type.substring(0, type.lastIndexOf('/') + 1);
        Pattern declared = Pattern.compile("\\b(class|interface|enum|record|object) " + type.substring(folder.length()) + "\\b");
        for (String source : sources) {
            if (source.startsWith(folder) && source.indexOf('/', folder.length()) < 0) {
                for (String language : List.of("java", "kotlin")) {
                    Path file = module.resolve("src/main").resolve(language).resolve(source);
                    if (Files.exists(file) && declared.matcher(Files.readString(file)).find()) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private void sameBytes(Path folder, Path other) throws IOException {
        Map<String, Path> here = files(folder);
        Map<String, Path> there = files(other);
        minus(here.keySet(), there.keySet()).forEach(path -> find(path, "was built once only"));
        minus(there.keySet(), here.keySet()).forEach(path -> find(path, "was built once only"));
        for (Map.Entry<String, Path> file : here.entrySet()) {
            Path twin = there.get(file.getKey());
            if (twin != null && Files.mismatch(file.getValue(), twin) >= 0) {
                find(file.getKey(), "differs between two builds");
            }
        }
    }

    // Helpers.

    private void find(String artifact, String what) {
        findings.add(artifact + ": " + what);
    }

    private static String option(List<String> options, String name) {
        return options.contains(name) ? options.get(options.indexOf(name) + 1) : null;
    }

    private static Set<String> minus(Set<String> all, Set<String> without) {
        Set<String> rest = new TreeSet<>(all);
        rest.removeAll(without);
        return rest;
    }

    /** Time stamps of the deployment, signatures and what follows from them are no result of the build. */
    private static Map<String, Path> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .filter(path -> !path.getFileName().toString().startsWith("maven-metadata") && !path.toString().contains(".asc"))
                    .collect(Collectors.toMap(path -> folder.relativize(path).toString(), path -> path));
        }
    }

    private static boolean isSource(String path) {
        return path.endsWith(".java") || path.endsWith(".kt");
    }

    /** By the paths that they have in a jar. */
    private static Set<String> sources(Path main) throws IOException {
        Set<String> sources = new TreeSet<>();
        for (String language : List.of("java", "kotlin")) {
            Path top = main.resolve(language);
            if (Files.isDirectory(top)) {
                try (Stream<Path> files = Files.walk(top)) {
                    files.map(path -> top.relativize(path).toString().replace('\\', '/')).filter(Artifacts::isSource).forEach(sources::add);
                }
            }
        }
        return sources;
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

    private static Stream<Element> children(Element parent) {
        return Stream.iterate(parent.getFirstChild(), node -> node != null, Node::getNextSibling)
                .filter(Element.class::isInstance)
                .map(Element.class::cast);
    }

    private static List<Element> all(Element from, String path) {
        List<Element> found = List.of(from);
        for (String step : path.split("/")) {
            found = found.stream().flatMap(Artifacts::children).filter(child -> child.getTagName().equals(step)).toList();
        }
        return found;
    }

    private static String text(Element from, String path) {
        return all(from, path).stream().findFirst().map(one -> one.getTextContent().strip()).orElse("");
    }
}
