// SPDX-License-Identifier: Apache-2.0
package io.flexpool.published;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The module descriptors of all that is published. */
class ModulesTest {
    /** Those that stay automatic, of which docs/reference/native-image.md has the reasons: libraries without lasting module names. */
    private static final Set<String> AUTOMATIC = Set.of(
            "flexpool-adapter-agroal",
            "flexpool-adapter-atomikos",
            "flexpool-adapter-druid",
            "flexpool-adapter-tck",
            "flexpool-adapter-tomcat",
            "flexpool-advisor",
            "flexpool-dropwizard",
            "flexpool-micronaut",
            "flexpool-quarkus",
            "flexpool-quarkus-deployment",
            "flexpool-server",
            "flexpool-spring-boot-starter");

    /** The root of what the class path has of each published module, by artifact. */
    private static Map<String, Path> roots() throws IOException {
        Map<String, Path> roots = new TreeMap<>();
        for (Map.Entry<String, Path> module : Reactor.published().entrySet()) {
            Path classes = Reactor.classes(module.getKey(), module.getValue());
            assertThat(classes).as(module.getKey()).isNotNull();
            roots.put(module.getKey(), classes);
        }
        return roots;
    }

    private static @Nullable ModuleDescriptor descriptor(Path root) throws IOException {
        Path file = root.resolve("module-info.class");
        if (!Files.exists(file)) {
            return null;
        }
        try (InputStream in = Files.newInputStream(file)) {
            return ModuleDescriptor.read(in);
        }
    }

    @Test
    void everyPublishedModuleHasADescriptorOrAReason() throws IOException {
        Set<String> without = new TreeSet<>();
        String page = Files.readString(Reactor.ROOT.resolve("docs/reference/native-image.md"));
        for (Map.Entry<String, Path> root : roots().entrySet()) {
            if (descriptor(root.getValue()) == null) {
                without.add(root.getKey());
                assertThat(page).contains("`" + root.getKey() + "`");
            }
        }
        assertThat(without).isEqualTo(new TreeSet<>(AUTOMATIC));
    }

    @Test
    void aDescriptorNamesItsArtifactAndExportsNothingOfTheInside() throws IOException {
        Set<String> names = new HashSet<>();
        for (Map.Entry<String, Path> root : roots().entrySet()) {
            ModuleDescriptor module = descriptor(root.getValue());
            if (module == null) {
                continue;
            }
            assertThat(module.name())
                    .isEqualTo("io." + root.getKey().replace('-', '.').replace("flexpool.tck", "flexpool"));
            assertThat(names.add(module.name())).as(module.name()).isTrue();
            assertThat(Stream.concat(
                            module.exports().stream().map(ModuleDescriptor.Exports::source),
                            module.opens().stream().map(ModuleDescriptor.Opens::source)))
                    .as(module.name())
                    .isNotEmpty()
                    .noneMatch(name -> name.startsWith("io.flexpool.internal"));
        }
        assertThat(names).hasSizeGreaterThan(10);
    }

    /** On the module path the descriptor counts, on the class path the files. */
    @Test
    void aDescriptorProvidesTheServicesOfTheFiles() throws IOException {
        for (Map.Entry<String, Path> root : roots().entrySet()) {
            ModuleDescriptor module = descriptor(root.getValue());
            if (module != null) {
                Map<String, List<String>> provided = new TreeMap<>();
                module.provides().forEach(one -> provided.put(one.service(), one.providers()));
                assertThat(provided).as(module.name()).isEqualTo(services(root.getValue()));
            }
        }
    }

    private static Map<String, List<String>> services(Path root) throws IOException {
        Path folder = root.resolve("META-INF/services");
        Map<String, List<String>> services = new TreeMap<>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.collect(Collectors.toList())) {
                    services.put(
                            file.getFileName().toString(),
                            Files.readAllLines(file).stream()
                                    .map(line -> line.replaceAll("#.*", "").strip())
                                    .filter(line -> !line.isEmpty())
                                    .toList());
                }
            }
        }
        return services;
    }
}
