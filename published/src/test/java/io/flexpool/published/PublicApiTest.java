// SPDX-License-Identifier: Apache-2.0
package io.flexpool.published;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * What others can call, extend and catch, one file for each package in src/test/resources/api, so that each change of it shows in a review.
 * From the class files, with a compiler's eyes.
 */
class PublicApiTest {
    private static final Path FILES = Reactor.ROOT.resolve("published/src/test/resources/api");
    /** Parts of the contract for adapters that its packages share: public to each other, and no API. */
    private static final Set<String> NO_API =
            Set.of("io.flexpool.adapter.tck.database", "io.flexpool.adapter.tck.faults");

    private static final String COMMAND = "mvn verify -pl published -am -Dtest=PublicApiTest -Dflexpool.write"
            + " -Dsurefire.failIfNoSpecifiedTests=false";

    /** {@return the public types by package, and by package the module that has it} */
    private static Map<String, String> snapshot() throws IOException {
        Elements elements = ((JavacTask) ToolProvider.getSystemJavaCompiler()
                        .getTask(
                                null,
                                null,
                                diagnostic -> {},
                                List.of("-proc:none", "-classpath", System.getProperty("java.class.path")),
                                null,
                                null))
                .getElements();
        Map<String, String> texts = new TreeMap<>();
        for (Map.Entry<String, Path> module : Reactor.published().entrySet()) {
            Path classes = Reactor.classes(module.getKey(), module.getValue());
            assertThat(classes)
                    .as("%s is a dependency of the module published", module.getKey())
                    .isNotNull();
            for (Map.Entry<String, List<String>> names : byPackage(classes).entrySet()) {
                List<TypeElement> types = new ArrayList<>();
                for (String name : names.getValue()) {
                    TypeElement type = elements.getTypeElement(name);
                    assertThat(type).as(name).isNotNull();
                    if (Signatures.isVisible(type)) {
                        types.add(type);
                    }
                }
                if (!types.isEmpty()) {
                    String before = texts.put(
                            names.getKey(),
                            "package " + names.getKey() + ", of " + module.getKey() + "\n\n" + Signatures.of(types));
                    assertThat(before).as("one module has %s", names.getKey()).isNull();
                }
            }
        }
        return texts;
    }

    /** The outermost types of those packages that others see. */
    private static Map<String, List<String>> byPackage(Path classes) throws IOException {
        Optional<Set<String>> exported = exported(classes);
        try (Stream<Path> files = Files.walk(classes)) {
            return files.map(file -> classes.relativize(file).toString().replace('\\', '/'))
                    .filter(file -> file.endsWith(".class") && !file.contains("$") && !file.contains("-info"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .sorted()
                    .filter(name ->
                            exported.isEmpty() || exported.get().contains(name.substring(0, name.lastIndexOf('.'))))
                    .filter(name -> !NO_API.contains(name.substring(0, name.lastIndexOf('.'))))
                    .collect(Collectors.groupingBy(
                            name -> name.substring(0, name.lastIndexOf('.')), TreeMap::new, Collectors.toList()));
        }
    }

    /** To everyone; empty without a descriptor, where every package is seen. */
    private static Optional<Set<String>> exported(Path classes) throws IOException {
        Path descriptor = classes.resolve("module-info.class");
        if (!Files.exists(descriptor)) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(descriptor)) {
            return Optional.of(ModuleDescriptor.read(in).exports().stream()
                    .filter(exports -> !exports.isQualified())
                    .map(ModuleDescriptor.Exports::source)
                    .collect(Collectors.toSet()));
        }
    }

    /** With {@code -Dflexpool.write} it writes the files. */
    @Test
    void thePublicTypesAreThoseOfTheFiles() throws IOException {
        Map<String, String> snapshot = snapshot();
        assertThat(snapshot).hasSizeGreaterThan(30).containsKey("io.flexpool");
        if (Boolean.getBoolean("flexpool.write")) {
            Files.createDirectories(FILES);
            for (Map.Entry<String, String> file : files().entrySet()) {
                if (!snapshot.containsKey(file.getKey())) {
                    Files.delete(FILES.resolve(file.getKey() + ".txt"));
                }
            }
            for (Map.Entry<String, String> text : snapshot.entrySet()) {
                Files.writeString(FILES.resolve(text.getKey() + ".txt"), text.getValue());
            }
        }
        Map<String, String> written = files();
        assertThat(written.keySet())
                .as("the files of src/test/resources/api; %s writes them", COMMAND)
                .isEqualTo(snapshot.keySet());
        List<String> changes = new ArrayList<>();
        snapshot.forEach((name, text) -> {
            String was = Objects.requireNonNull(written.get(name));
            List<String> before = was.lines().toList();
            List<String> now = text.lines().toList();
            before.stream().filter(line -> !now.contains(line)).forEach(line -> changes.add("- " + line));
            now.stream().filter(line -> !before.contains(line)).forEach(line -> changes.add("+ " + line));
            if (!was.equals(text)) {
                changes.add("in api/" + name + ".txt");
            }
        });
        assertThat(changes)
                .as("changes of the public API; if they are meant: %s", COMMAND)
                .isEmpty();
    }

    private static Map<String, String> files() throws IOException {
        if (!Files.isDirectory(FILES)) {
            return Map.of();
        }
        try (Stream<Path> files = Files.list(FILES)) {
            Map<String, String> texts = new TreeMap<>();
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".txt")).toList()) {
                texts.put(file.getFileName().toString().replaceAll("\\.txt$", ""), Files.readString(file));
            }
            return texts;
        }
    }

    /** Every package has its place on the page that says what may be relied on. */
    @Test
    void thePageOfTheApiNamesEveryPackage() throws IOException {
        String page = Files.readString(Reactor.ROOT.resolve("docs/reference/compatibility.md"));
        assertThat(snapshot().keySet().stream().filter(name -> !page.contains("`" + name + "`")))
                .as("packages that docs/reference/compatibility.md does not name")
                .isEmpty();
    }
}
