// SPDX-License-Identifier: Apache-2.0
package io.flexpool.published;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.constant.ClassDesc;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The metadata for native images in each jar, against its class files: what a closed world would not find by itself is named,
 * and what is named is there. No image is built here: docs/reference/native-image.md says why.
 */
class NativeImageMetadataTest {
    /** Of modules that run in tests only, or whose metadata Spring makes: FlexPoolRuntimeHints, with a test of its own. */
    private static final Pattern WITHOUT = Pattern.compile(
            "flexpool-junit5|flexpool-adapter-tck|flexpool-spring-boot-starter|.*-quarkus.*|.*-micronaut.*");
    /** Calls that find a member or a class by its name. */
    private static final Set<String> LOOKUPS = Set.of(
            "java.lang.invoke.MethodHandles$Lookup.findVarHandle",
            "java.lang.invoke.MethodHandles$Lookup.findVirtual",
            "java.lang.invoke.MethodHandles$Lookup.findStatic",
            "java.lang.Class.getDeclaredField",
            "java.lang.Class.getDeclaredFields",
            "java.lang.Class.getDeclaredMethod",
            "java.lang.Class.getMethod",
            "java.lang.Class.forName",
            "java.util.concurrent.atomic.AtomicIntegerFieldUpdater.newUpdater",
            "java.util.concurrent.atomic.AtomicLongFieldUpdater.newUpdater",
            "java.util.concurrent.atomic.AtomicReferenceFieldUpdater.newUpdater");

    private static final Pattern FOREIGN_CLASS =
            Pattern.compile("(?!io\\.flexpool|java)[a-z]+(\\.[a-z0-9]+)+\\.[A-Z]\\w+");

    /** One published jar. */
    private record Jar(
            String artifact,
            Path root,
            Map<String, ClassFile> classes,
            List<JsonNode> reflection,
            List<Pattern> resources) {
        static Jar read(String artifact, Path root) throws IOException {
            Map<String, ClassFile> classes = new LinkedHashMap<>();
            for (String file : files(root)) {
                if (file.endsWith(".class") && !file.endsWith("module-info.class")) {
                    ClassFile read = ClassFile.read(root.resolve(file));
                    classes.put(read.name(), read);
                }
            }
            Path metadata = root.resolve("META-INF/native-image/io.flexpool/" + artifact);
            List<JsonNode> reflection = new ArrayList<>();
            json(metadata.resolve("reflect-config.json")).forEach(reflection::add);
            List<Pattern> resources = new ArrayList<>();
            json(metadata.resolve("resource-config.json"))
                    .path("resources")
                    .path("includes")
                    .forEach(include -> resources.add(
                            Pattern.compile(include.path("pattern").asText())));
            return new Jar(artifact, root, classes, reflection, resources);
        }

        private static JsonNode json(Path file) throws IOException {
            ObjectMapper mapper = new ObjectMapper();
            return Files.exists(file) ? mapper.readTree(Files.readString(file)) : mapper.createArrayNode();
        }

        static List<String> files(Path root) throws IOException {
            try (Stream<Path> all = Files.walk(root)) {
                return all.filter(Files::isRegularFile)
                        .map(file -> root.relativize(file).toString().replace('\\', '/'))
                        .sorted()
                        .toList();
            }
        }

        boolean names(String type, String kind, String member) {
            return reflection.stream()
                    .filter(entry -> entry.path("name").asText().equals(type))
                    .flatMap(entry -> Stream.iterate(
                                    0, at -> at < entry.path(kind).size(), at -> at + 1)
                            .map(at -> entry.path(kind).path(at)))
                    .anyMatch(found -> found.path("name").asText().equals(member));
        }

        boolean extendsOne(ClassFile file, String ancestor) {
            for (ClassFile at = file; at != null; at = classes.get(at.above())) {
                if (at.above().equals(ancestor) || at.interfaces().contains(ancestor)) {
                    return true;
                }
            }
            return false;
        }
    }

    private static List<Jar> jars() throws IOException {
        List<Jar> jars = new ArrayList<>();
        for (Map.Entry<String, Path> module : Reactor.published().entrySet()) {
            if (!WITHOUT.matcher(module.getKey()).matches()) {
                Path root = Reactor.classes(module.getKey(), module.getValue());
                jars.add(Jar.read(module.getKey(), Objects.requireNonNull(root, module.getKey())));
            }
        }
        assertThat(jars).hasSizeGreaterThan(20);
        return jars;
    }

    @Test
    void servicesAreNamedWithTheirConstructors() throws IOException {
        List<String> missing = new ArrayList<>();
        for (Jar jar : jars()) {
            for (String file : Jar.files(jar.root())) {
                if (file.startsWith("META-INF/services/")) {
                    Files.readString(jar.root().resolve(file))
                            .lines()
                            .map(String::strip)
                            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                            .filter(provider -> !jar.names(provider, "methods", "<init>"))
                            .forEach(provider -> missing.add(jar.artifact() + ": the constructor of " + provider));
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void resourcesAreIncluded() throws IOException {
        List<String> missing = new ArrayList<>();
        for (Jar jar : jars()) {
            for (String file : Jar.files(jar.root())) {
                boolean read = file.startsWith("META-INF/services/")
                        || (!file.startsWith("META-INF/") && !file.endsWith(".class"));
                if (read
                        && jar.resources().stream()
                                .noneMatch(pattern -> pattern.matcher(file).matches())) {
                    missing.add(jar.artifact() + ": " + file);
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    /** Made by name: by JNDI from a Reference, by JFR from an event's setting; and read by JMX. */
    @Test
    void whatTheJdkMakesOrReadsByNameIsNamed() throws IOException {
        List<String> missing = new ArrayList<>();
        Set<String> found = new TreeSet<>();
        for (Jar jar : jars()) {
            for (ClassFile file : jar.classes().values()) {
                boolean made = jar.extendsOne(file, "javax.naming.spi.ObjectFactory")
                        || jar.extendsOne(file, "jdk.jfr.SettingControl");
                boolean isAbstract = jar.classes().values().stream()
                        .anyMatch(other -> other.above().equals(file.name()));
                if (made && !isAbstract) {
                    found.add(file.name());
                    if (!jar.names(file.name(), "methods", "<init>")) {
                        missing.add(jar.artifact() + ": the constructor of " + file.name());
                    }
                }
                if (file.name().endsWith("MXBean")) {
                    found.add(file.name());
                    if (jar.reflection().stream()
                            .noneMatch(entry -> entry.path("name").asText().equals(file.name())
                                    && entry.path("allPublicMethods").asBoolean())) {
                        missing.add(jar.artifact() + ": the methods of " + file.name());
                    }
                }
            }
        }
        assertThat(found)
                .contains(
                        "io.flexpool.FlexPoolFactory",
                        "io.flexpool.metrics.jdk.LeaseFloor",
                        "io.flexpool.metrics.jdk.PoolMXBean");
        assertThat(missing).isEmpty();
    }

    /** The handles themselves say which fields they stand for. */
    @Test
    void fieldsBehindCoresVarHandlesAreNamed() throws Exception {
        Jar core = jars().stream()
                .filter(jar -> jar.artifact().equals("flexpool-core"))
                .findFirst()
                .orElseThrow();
        List<String> missing = new ArrayList<>();
        int handles = 0;
        for (ClassFile file : core.classes().values()) {
            if (file.calls().contains("java.lang.invoke.MethodHandles$Lookup.findVarHandle")) {
                for (Field field : Class.forName(file.name()).getDeclaredFields()) {
                    if (field.getType() == VarHandle.class) {
                        assertThat(Modifier.isStatic(field.getModifiers()))
                                .as("%s", field)
                                .isTrue();
                        field.setAccessible(true);
                        VarHandle handle = (VarHandle) field.get(null);
                        String type = handle.coordinateTypes().get(0).getName();
                        if (handle.coordinateTypes().get(0).isArray()) {
                            // It stands for the elements: no field is found by its name, as its description proves.
                            assertThat(handle.describeConstable().orElseThrow())
                                    .isEqualTo(VarHandle.VarHandleDesc.ofArray(ClassDesc.ofDescriptor(
                                            handle.coordinateTypes().get(0).descriptorString())));
                            continue;
                        }
                        VarHandle.VarHandleDesc described =
                                handle.describeConstable().orElseThrow();
                        handles++;
                        if (!core.names(type, "fields", described.constantName())) {
                            missing.add(type + "." + described.constantName());
                        }
                    }
                }
            }
        }
        assertThat(handles).isGreaterThan(10);
        assertThat(missing).isEmpty();
    }

    /** In a native image a class is not found by a name without an entry, and the part that depends on it is off silently. */
    @Test
    void everyClassOfAPoolThatIsFoundByNameIsNamed() throws IOException {
        Set<String> wanted = new TreeSet<>();
        List<String> missing = new ArrayList<>();
        for (Jar jar : jars()) {
            Set<String> named = jar.reflection().stream()
                    .map(entry -> entry.path("name").asText())
                    .collect(Collectors.toSet());
            for (ClassFile file : jar.classes().values()) {
                if (file.calls().contains("java.lang.invoke.MethodHandles$Lookup.findVarHandle")) {
                    file.texts().stream()
                            .filter(text -> FOREIGN_CLASS.matcher(text).matches())
                            .peek(text -> wanted.add(jar.artifact() + ": " + text))
                            .filter(text -> !named.contains(text))
                            .forEach(text -> missing.add(jar.artifact() + ": " + text));
                }
            }
        }
        assertThat(wanted)
                .contains("flexpool-adapter-c3p0: com.mchange.v2.resourcepool.BasicResourcePool")
                .noneMatch(text -> text.startsWith("flexpool-core: "));
        assertThat(missing).isEmpty();
    }

    /**
     * The first looks up what others name, and they are looked at. The second looks up the application's classes on a stack, and
     * judges by its name what an image does not find.
     */
    private static final Set<String> BY_GIVEN_NAME =
            Set.of("io.flexpool.session.DriverType", "io.flexpool.internal.lease.RequestTrace$Frame");

    @Test
    void everyLookupByNameHasAnEntry() throws IOException {
        List<String> missing = new ArrayList<>();
        for (Jar jar : jars()) {
            Set<String> named = jar.reflection().stream()
                    .map(entry -> entry.path("name").asText())
                    .collect(Collectors.toSet());
            for (ClassFile file : jar.classes().values()) {
                boolean looks = file.calls().stream().anyMatch(LOOKUPS::contains);
                if (looks
                        && !BY_GIVEN_NAME.contains(file.name())
                        && named.stream().noneMatch(type -> mentions(file, type))) {
                    missing.add(jar.artifact() + ": what " + file.name() + " looks up");
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    private static boolean mentions(ClassFile file, String type) {
        return file.texts().contains(type.replace('.', '/'))
                || file.texts().contains(type)
                || file.texts().stream().anyMatch(text -> text.contains("L" + type.replace('.', '/') + ";"));
    }

    /** An implementation, where the class file names the interface or a neighbour. */
    private static boolean mentionsPackage(ClassFile file, String type) {
        String folder = type.substring(0, type.lastIndexOf('.') + 1).replace('.', '/');
        return file.texts().stream().anyMatch(text -> text.contains(folder));
    }

    @Test
    void nothingNamedIsGone() throws IOException {
        List<String> gone = new ArrayList<>();
        for (Jar jar : jars()) {
            Map<String, Set<String>> seen = new HashMap<>();
            for (JsonNode entry : jar.reflection()) {
                String type = entry.path("name").asText();
                boolean known = jar.classes().containsKey(type)
                        || jar.classes().values().stream()
                                .anyMatch(file -> mentions(file, type) || mentionsPackage(file, type));
                if (!known || seen.put(type, Set.of()) != null) {
                    gone.add(jar.artifact() + ": " + type + ", which no class names or which stands there twice");
                }
                for (String kind : List.of("fields", "methods")) {
                    for (JsonNode member : entry.path(kind)) {
                        String name = member.path("name").asText();
                        if (jar.classes().values().stream()
                                .noneMatch(file -> file.texts().contains(name))) {
                            gone.add(jar.artifact() + ": " + type + "." + name);
                        }
                    }
                }
            }
            List<String> files = Jar.files(jar.root());
            jar.resources().stream()
                    .filter(pattern -> files.stream()
                            .noneMatch(file -> pattern.matcher(file).matches()))
                    .forEach(pattern -> gone.add(jar.artifact() + ": the resource " + pattern));
        }
        assertThat(gone).isEmpty();
    }
}
