// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Shows that .ci/Artifacts.java and .ci/Components.java notice what they check: breaks a copy of a checked artifact in each way, and
 * wants the finding.
 * Run from the top folder of what was built, after .ci/release:
 *
 * <pre>
 * cd target/release/one
 * java .ci/BrokenArtifacts.java ../artifacts ../dependencies ../cyclonedx
 * </pre>
 */
final class BrokenArtifacts {
    private static final String GREEN = ", 0 findings";
    private static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private final Path artifacts;
    private final Path dependencies;
    private final String cyclonedx;
    private final String modules;
    private final List<Path> copies = new ArrayList<>();
    /** Which one is broken. */
    private String artifact = "flexpool-core";
    private int tried;
    private int failed;

    /** One way to break an artifact. */
    private interface Break {
        void in(Path folder, String file) throws Exception;
    }

    private BrokenArtifacts(Path artifacts, Path dependencies, String cyclonedx) throws Exception {
        this.artifacts = artifacts;
        this.dependencies = dependencies;
        this.cyclonedx = cyclonedx;
        modules = run(List.of(".ci/Artifacts.java", "modules")).strip();
    }

    public static void main(String[] args) throws Exception {
        BrokenArtifacts broken = new BrokenArtifacts(Path.of(args[0]), Path.of(args[1]), args[2]);
        try {
            broken.files();
            broken.components();
        } finally {
            broken.remove();
        }
        System.out.printf("%d of %d as wanted%n", broken.tried - broken.failed, broken.tried);
        System.exit(broken.failed == 0 ? 0 : 1);
    }

    private void files() throws Exception {
        tried("nothing", GREEN, (folder, file) -> {});
        for (String tag : List.of("name", "description", "url", "inceptionYear")) {
            tried("POM without " + tag, "POM lacks " + tag, pom("(?s)(<packaging>.*?|<version>.*?|)<" + tag + ">.*?</" + tag + ">", "$1"));
        }
        for (String tag : List.of("organization", "licenses", "developers", "scm", "issueManagement")) {
            tried("POM without " + tag, "POM lacks " + tag, pom("(?s)<" + tag + "[ >].*?</" + tag + ">", ""));
        }
        tried("POM with a parent", "POM has <parent>", pom("<modelVersion>", "<parent><groupId>a</groupId></parent><modelVersion>"));
        tried("POM with profiles", "POM has <profiles>", pom("</project>", "<profiles/></project>"));
        tried("POM with a build", "POM has <build>", pom("</project>", "<build/></project>"));
        tried("POM with properties", "POM has <properties>", pom("</project>", "<properties/></project>"));
        tried("POM with managed versions", "POM has <dependencyManagement>", pom("</project>", "<dependencyManagement/></project>"));
        tried("POM with an expression", "POM has an expression", pom("<description>", "<description>\\${x}"));
        tried("POM of another group", "POM has other coordinates", pom("<groupId>", "<groupId>other."));
        tried("POM with a test's dependency", "of tests", pom("<scope>compile</scope>", "<scope>test</scope>"));
        tried("POM with a module that is not published", "which is not published with it", pom("<dependencies>",
                "<dependencies><dependency><groupId>GROUP</groupId><artifactId>flexpool-benchmarks-kit</artifactId><version>1</version></dependency>"));
        for (String kind : List.of(".jar", "-sources.jar", "-javadoc.jar")) {
            tried("no file " + kind, "lacks the file", (folder, file) -> Files.delete(folder.resolve(file + kind)));
            tried("no licence in " + kind, kind + " lacks LICENSE", remove(kind, "META-INF/LICENSE"));
            tried("no notice in " + kind, kind + " lacks NOTICE", remove(kind, "META-INF/NOTICE"));
        }
        tried("a wrong checksum", "is not the checksum", (folder, file) -> Files.writeString(folder.resolve(file + ".jar.sha1"), "0"));
        tried("a file too many", "which is not expected", (folder, file) -> Files.writeString(folder.resolve(file + "-tests.jar"), ""));
        tried("no version in the manifest", "manifest has Implementation-Version null", manifest("Implementation-Version:.*\r?\n", ""));
        tried("another version in the manifest", "manifest has Implementation-Version 9", manifest("(Implementation-Version: ).*", "$19"));
        tried("no module name", "has no module name", remove(".jar", "module-info.class"));
        tried("a class of tests", "which no source in src/main has", add(".jar", "io/flexpool/GateTest.class"));
        tried("a class lost", "lacks the class io/flexpool/FlexPool.class", remove(".jar", "io/flexpool/FlexPool.class"));
        tried("a newer class", "is of class file version 69", in(".jar", inside -> {
            byte[] bytes = Files.readAllBytes(inside.resolve("io/flexpool/FlexPool.class"));
            bytes[7] = 69;
            Files.write(inside.resolve("io/flexpool/FlexPool.class"), bytes);
        }));
        tried("a service that is not there", "which is not in the jar", in(".jar", inside -> Files.writeString(
                Files.createDirectories(inside.resolve("META-INF/services")).resolve("io.flexpool.spi.PoolPartProvider"),
                "io.flexpool.Gone\n")));
        tried("a source lost", "-sources.jar lacks io/flexpool/FlexPool.java", remove("-sources.jar", "io/flexpool/FlexPool.java"));
        tried("a test's source", "which is no source of the module", add("-sources.jar", "io/flexpool/GateTest.java"));
        tried("no documentation", "-javadoc.jar has no documentation", remove("-javadoc.jar", "index.html"));
        tried("a class that a processor made of none", "which no source in src/main has", add(".jar", "io/flexpool/$GateTest$Definition.class"));
        tried("a class that a processor made", GREEN, made("io/flexpool/$FlexPool$Definition.class"));
        tried("a source without its class", "which is no source of the module", add("-sources.jar", "io/flexpool/FlexPool$$accessor.java"));
        tried("a source that a processor wrote", GREEN, (folder, file) -> {
            made("io/flexpool/FlexPool$$accessor.class").in(folder, file);
            add("-sources.jar", "io/flexpool/FlexPool$$accessor.java").in(folder, file);
        });
        Path twin = copy();
        Path at = version(twin);
        in("-sources.jar", inside -> Files.writeString(inside.resolve("more"), "")).in(at, file(at));
        check("other bytes in a second build", "differs between two builds", artifacts, List.of("--other", twin.toString()));
        Path foreign = copy();
        Files.createDirectories(version(foreign).getParent().resolveSibling("flexpool-examples-pools"));
        check("an artifact that is not to be published", "is there and is not to be published", foreign, List.of(), true);
        check("nothing signed, for the last time", "lacks the file", artifacts, List.of("--final"));
    }

    private void components() throws Exception {
        compared("nothing in the components", GREEN, (folder, file) -> {});
        for (String kind : List.of("json", "xml")) {
            String name = "-cyclonedx." + kind;
            tried("no file of components " + kind, "lacks the file", (folder, file) -> Files.delete(folder.resolve(file + name)));
            compared("no components " + kind, "lacks the file", (folder, file) -> Files.delete(folder.resolve(file + name)));
            compared("a component lost in " + kind, name + " lacks org.slf4j", text(name, "pkg:maven/org.slf4j/slf4j-api@[^\"<]*", "pkg:generic/x@1"));
            compared("a component too many in " + kind, "which no application gets", text(name, "(pkg:maven/org.slf4j/slf4j-api@[^\"<]*)", "pkg:maven/a/b@1"));
            compared("a component of another version in " + kind, name + " lacks org.slf4j", text(name, "(pkg:maven/org.slf4j/slf4j-api@)[^\"<]*", "$11"));
            compared("components of another artifact in " + kind, "does not describe its own artifact",
                    text(name, "(pkg:maven/[^\"<]*)/" + artifact + "@", "$1/x@"));
        }
        compared("JSON that is not CycloneDX", "-cyclonedx.json is not valid", text("-cyclonedx.json", "\"bomFormat\" : \"CycloneDX\"", "\"bomFormat\" : \"x\""));
        compared("XML that is not CycloneDX", "-cyclonedx.xml is not valid", text("-cyclonedx.xml", "<components>", "<things/><components>"));
        artifact = "flexpool-micronaut";
        compared("an optional component that is required", "flexpool-metrics-micrometer, which no application gets",
                text("-cyclonedx.xml", "<scope>optional</scope>", "<scope>required</scope>"));
        artifact = "flexpool-quarkus";
        compared("another version where a platform decides", GREEN, text("-cyclonedx.json", "(pkg:maven/org.slf4j/slf4j-api@)[^\"<?]*", "$11"));
        compared("a component lost where a platform decides", "-cyclonedx.json lacks org.slf4j:slf4j-api",
                text("-cyclonedx.json", "pkg:maven/org.slf4j/slf4j-api@[^\"<]*", "pkg:generic/x@1"));
    }

    private void tried(String how, String finding, Break what) throws Exception {
        Path copy = copy();
        Path at = version(copy);
        what.in(at, file(at));
        check(how, finding, copy, List.of());
    }

    private void compared(String how, String finding, Break what) throws Exception {
        Path copy = copy();
        Path at = version(copy);
        what.in(at, file(at));
        verdict(how, finding, run(List.of(
                ".ci/Components.java", "check", copy.toString(), modules, dependencies.toString(), cyclonedx, "--only", artifact)));
    }

    private void check(String how, String finding, Path folder, List<String> more) throws Exception {
        check(how, finding, folder, more, false);
    }

    private void check(String how, String finding, Path folder, List<String> more, boolean whole) throws Exception {
        List<String> command = new ArrayList<>(List.of(".ci/Artifacts.java", "check", folder.toString()));
        command.addAll(more);
        if (!whole) {
            command.addAll(List.of("--only", artifact));
        }
        verdict(how, finding, run(command));
    }

    private void verdict(String how, String finding, String said) {
        boolean asWanted = said.contains(finding) && said.contains(GREEN) == finding.equals(GREEN);
        tried++;
        failed += asWanted ? 0 : 1;
        System.out.printf("%s %s: %s%n", asWanted ? "ok  " : "NOT ", how, said.lines()
                .filter(line -> line.contains(finding))
                .findFirst()
                .orElse(said));
    }

    private static String run(List<String> program) throws Exception {
        List<String> command = new ArrayList<>(List.of(JAVA, "-XX:TieredStopAtLevel=1"));
        command.addAll(program);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0 && said.contains(GREEN)) {
            throw new IllegalStateException(program + " has no finding and fails: " + said);
        }
        return said;
    }

    private Path copy() throws IOException {
        Path copy = Files.createTempDirectory("broken");
        try (Stream<Path> all = Files.walk(artifacts)) {
            for (Path path : all.filter(path -> path.toString().contains("/" + artifact + "/") || path.equals(artifacts)).toList()) {
                Path to = copy.resolve(artifacts.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(to);
                } else {
                    Files.createDirectories(to.getParent());
                    Files.copy(path, to);
                }
            }
        }
        copies.add(copy);
        return copy;
    }

    private void remove() throws IOException {
        for (Path copy : copies) {
            try (Stream<Path> all = Files.walk(copy)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    private static Path version(Path copy) throws IOException {
        try (Stream<Path> all = Files.walk(copy)) {
            return all.filter(path -> path.toString().endsWith(".pom")).findFirst().orElseThrow().getParent();
        }
    }

    private String file(Path at) {
        return artifact + "-" + at.getFileName();
    }

    // Ways to break it; checksums are right again afterwards, else those would be all that is noticed.

    private static Break text(String kind, String pattern, String by) {
        return (folder, file) -> {
            Path path = folder.resolve(file + kind);
            String before = Files.readString(path);
            String after = before.replaceAll(pattern, by);
            if (after.equals(before)) {
                throw new IllegalStateException(path + " has no " + pattern);
            }
            Files.writeString(path, after);
            summed(path);
        };
    }

    private static Break pom(String pattern, String by) {
        return (folder, file) -> {
            Path path = folder.resolve(file + ".pom");
            String before = Files.readString(path);
            String group = before.replaceAll("(?s).*?<groupId>(.*?)</groupId>.*", "$1");
            String after = before.replaceFirst(pattern, by.replace("GROUP", group));
            if (after.equals(before)) {
                throw new IllegalStateException(path + " has no " + pattern);
            }
            Files.writeString(path, after);
            summed(path);
        };
    }

    private interface Inside {
        void change(Path root) throws IOException;
    }

    private static Break in(String kind, Inside change) {
        return (folder, file) -> {
            Path jar = folder.resolve(file + kind);
            try (FileSystem zip = FileSystems.newFileSystem(jar)) {
                change.change(zip.getPath("/"));
            }
            summed(jar);
        };
    }

    private static Break remove(String kind, String entry) {
        return in(kind, inside -> Files.delete(inside.resolve(entry)));
    }

    private static Break add(String kind, String entry) {
        return in(kind, inside -> Files.copy(
                inside.resolve("META-INF/LICENSE"), inside.resolve(entry)));
    }

    private static Break made(String entry) {
        return in(".jar", inside -> Files.copy(inside.resolve("io/flexpool/FlexPool.class"), inside.resolve(entry)));
    }

    private static Break manifest(String pattern, String by) {
        return in(".jar", inside -> {
            Path manifest = inside.resolve("META-INF/MANIFEST.MF");
            Files.writeString(manifest, Files.readString(manifest).replaceAll(pattern, by));
        });
    }

    private static void summed(Path file) throws Exception {
        for (String[] kind : new String[][] {{"MD5", ".md5"}, {"SHA-1", ".sha1"}}) {
            byte[] sum = MessageDigest.getInstance(kind[0]).digest(Files.readAllBytes(file));
            try (OutputStream out = Files.newOutputStream(file.resolveSibling(file.getFileName() + kind[1]))) {
                out.write(HexFormat.of().formatHex(sum).getBytes(StandardCharsets.US_ASCII));
            }
        }
    }
}
