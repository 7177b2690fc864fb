// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.flexpool.internal.pool.AcquiringPool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The sizes that core must not exceed. Each may fall freely, and whoever lowers one lowers its budget too; a budget is raised
 * only with the reason in a comment beside it. Prints what it counts.
 */
class BudgetTest {
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Path CLASSES = Path.of("target/classes");
    private static final String CENTRE = AcquiringPool.class.getSimpleName();

    private static final Pattern IMPORT =
            Pattern.compile("^import (?:static )?(io\\.flexpool(?:\\.[a-z]\\w*)*)\\.([A-Z]\\w*)", Pattern.MULTILINE);
    private static final Pattern CATCH_ALL = Pattern.compile("catch \\(Throwable \\w+\\)");
    private static final Pattern INSTRUCTION = Pattern.compile("^ +(\\d+): (\\w+)", Pattern.MULTILINE);

    /** One source file; {@code code} is without comments and texts, where a name is no reference. */
    private record Source(String room, String type, String text, String code) {
        static Source of(Path file) {
            try {
                String text = Files.readString(file);
                String room = SOURCES.relativize(file.getParent()).toString().replace('/', '.');
                String name = file.getFileName().toString();
                return new Source(room, name.substring(0, name.length() - ".java".length()), text, code(text));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        /** By hand, because a pattern that matches long comments overflows the stack. */
        private static String code(String text) {
            StringBuilder code = new StringBuilder(text.length());
            int at = 0;
            while (at < text.length()) {
                int end = at + 1;
                if (text.startsWith("/*", at)) {
                    end = text.indexOf("*/", at) + 2;
                } else if (text.startsWith("//", at)) {
                    end = text.indexOf('\n', at);
                } else if (text.startsWith("\"\"\"", at)) {
                    end = text.indexOf("\"\"\"", at + 3) + 3;
                } else if (text.charAt(at) == '"' || text.charAt(at) == '\'') {
                    while (text.charAt(end) != text.charAt(at)) {
                        end += text.charAt(end) == '\\' ? 2 : 1;
                    }
                    end++;
                } else {
                    code.append(text.charAt(at));
                }
                at = end;
            }
            return code.toString();
        }
    }

    private static List<Source> sources;
    private static JavaClasses classes;

    @BeforeAll
    static void read() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            sources = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("module-info.java") && !file.endsWith("package-info.java"))
                    .sorted()
                    .map(Source::of)
                    .toList();
        }
        classes = new ClassFileImporter().importPath(CLASSES);
    }

    private static void budget(String what, int allowed, long counted) {
        System.out.println(what + ": " + counted + " of at most " + allowed);
        assertThat(counted).as(what).isNotNegative().isLessThanOrEqualTo(allowed);
    }

    // ---- the public API ----

    /** Exported to all or to named modules, or opened. */
    private static Set<String> exported() throws IOException {
        return Pattern.compile("(?:exports|opens)\\s+([\\w.]+)")
                .matcher(Files.readString(SOURCES.resolve("module-info.java")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<JavaClass> publicTypes(Predicate<JavaClass> which) throws IOException {
        Set<String> exported = exported();
        return classes.stream()
                .filter(type -> exported.contains(type.getPackageName()) && isPublic(type))
                .filter(which)
                .toList();
    }

    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(BudgetTest::isPublic).orElse(true);
    }

    @Test
    void exportedTypes() throws IOException {
        budget(
                "exported top-level types",
                // With FlexPoolFactory, which was another module's.
                50,
                publicTypes(JavaClass::isTopLevelClass).size());
        // 21 of them were top-level types before.
        budget(
                // Two more: SessionCheck and SessionProperty, by which a part sees what statements do with a session.
                // Two more: LeaseObserver.Holders and its Holder, which two modules would have copies of.
                // One more: LeaseBlock.Phase, where a lease is outside the database.
                // One more: PoolEvent.PartReported.
                "exported nested types",
                74,
                publicTypes(JavaClass::isNestedClass).size());
    }

    @Test
    void publicMembers() throws IOException {
        long members = 0;
        for (JavaClass type : publicTypes(type -> true)) {
            members += type.getMethods().stream()
                    .filter(method -> adds(type, method))
                    .count();
            members +=
                    type.getConstructors().stream().filter(BudgetTest::isPublic).count();
            members += type.getFields().stream()
                    .filter(field -> isPublic(field) && !field.getModifiers().contains(JavaModifier.ENUM))
                    .count();
        }
        // 20 more are those of the four types named above, and OpenPools.viewsStayOpen; one is PartContext.ownFits.
        // Ten more: what a part sees of the statements of leases, its findings, the call site, and initSql.
        // Seven more are those of LeaseObserver.Holders.
        // One more: LeaseBlock.idleShare. One more: Leased.requestClass, by which a lease has the budget of its class.
        // Three more: PartContext.publish, and what an event of a part has: its name and its facts.
        // One more: PoolPart.advice, because the advice by the cause alone contradicts what a part has found.
        budget("public members of exported types, without overrides", 615, members);
    }

    /** What a type adds to its supertypes, without what the compiler writes into an enumeration. */
    private static boolean adds(JavaClass type, JavaMethod method) {
        String[] parameters =
                method.getRawParameterTypes().stream().map(JavaClass::getName).toArray(String[]::new);
        return isPublic(method)
                && !(type.isEnum() && Set.of("values", "valueOf").contains(method.getName()))
                && Stream.concat(type.getAllRawSuperclasses().stream(), type.getAllRawInterfaces().stream())
                        .noneMatch(above ->
                                above.tryGetMethod(method.getName(), parameters).isPresent());
    }

    private static boolean isPublic(JavaMember member) {
        return member.getModifiers().contains(JavaModifier.PUBLIC)
                && !member.getModifiers().contains(JavaModifier.SYNTHETIC)
                && !member.getModifiers().contains(JavaModifier.BRIDGE);
    }

    /** One more component breaks each caller of a constructor and each pattern. */
    @Test
    void publicRecordsAreThese() throws IOException {
        assertThat(publicTypes(JavaClass::isRecord).stream()
                        .map(type -> type.getName().replace("io.flexpool.", "")))
                .containsExactlyInAnyOrder(
                        "adapter.PoolAdapter$ConnectTotals",
                        "monitoring.ConfigKey",
                        "monitoring.ConfigKey$Values",
                        "pool.PoolSnapshot",
                        "spi.LeaseSink$WantedArrivals");
    }

    // ---- the inside ----

    @Test
    void typesOfTheInsideThatOtherModulesSee() throws IOException {
        budget(
                "public types of internal that other modules see",
                0,
                publicTypes(type -> inside(type.getPackageName())).size());
    }

    @Test
    void arrows() {
        Map<String, Set<String>> arrows = new TreeMap<>();
        for (Source source : sources) {
            Matcher imports = IMPORT.matcher(source.code());
            while (imports.find()) {
                if (!imports.group(1).equals(source.room())) {
                    arrows.computeIfAbsent(source.room(), room -> new TreeSet<>())
                            .add(imports.group(1));
                }
            }
        }
        arrows.forEach((room, others) -> System.out.println("  " + room + " -> " + String.join(", ", others)));
        budget(
                "arrows between the packages of internal",
                40,
                arrows.entrySet().stream()
                        .filter(arrow -> inside(arrow.getKey()))
                        .mapToLong(arrow -> arrow.getValue().stream()
                                .filter(BudgetTest::inside)
                                .count())
                        .sum());
        // Two more for what is exported now: from resize to spi, whose threads it uses, and from spi to
        // internal.shared. Four more: the log backend is core's, as it was another module's, on event, monitoring, pool
        // and spi. One more: from io.flexpool to spi, for FlexPoolFactory.
        budget(
                // One more: from internal.jdbc to spi, for the properties that a lease shows to parts.
                "arrows between all packages",
                122,
                arrows.values().stream().mapToInt(Set::size).sum());
    }

    /**
     * The longest way down by imports, and names of neighbours, from package to package. The files of {@code io.flexpool}, where
     * applications begin, are counted one by one: between them are the steps of a build.
     */
    @Test
    void layers() {
        Map<String, Set<String>> arrows = new TreeMap<>();
        for (Source source : sources) {
            arrows.computeIfAbsent(place(source.room(), source.type()), place -> new TreeSet<>())
                    .addAll(seen(source));
        }
        arrows.forEach((place, below) -> below.remove(place));
        // From the lowest up: a place is on the layer above the highest that it sees.
        Map<String, Integer> layers = new TreeMap<>();
        for (int layer = 1; layers.size() < arrows.size(); layer++) {
            Set<String> below = Set.copyOf(layers.keySet());
            for (Map.Entry<String, Set<String>> place : arrows.entrySet()) {
                if (!below.contains(place.getKey()) && below.containsAll(place.getValue())) {
                    layers.put(place.getKey(), layer);
                }
            }
            Set<String> added = new TreeSet<>(layers.keySet());
            added.removeAll(below);
            System.out.println("  " + layer + ": " + String.join(", ", added));
            if (added.isEmpty()) {
                break;
            }
        }
        arrows.keySet().removeAll(layers.keySet());
        budget("places that see each other in a circle, with those above them", 0, arrows.size());
        budget(
                "layers",
                18,
                layers.values().stream().mapToInt(Integer::intValue).max().orElseThrow());
    }

    private static String place(String room, String type) {
        return room.equals("io.flexpool") ? room + '.' + type : room;
    }

    private static Set<String> seen(Source source) {
        Set<String> seen = new TreeSet<>();
        Matcher imports = IMPORT.matcher(source.code());
        while (imports.find()) {
            seen.add(place(imports.group(1), imports.group(2)));
        }
        neighbours(source).forEach(type -> seen.add(place(source.room(), type)));
        return seen;
    }

    private static boolean inside(String room) {
        return room.startsWith("io.flexpool.internal");
    }

    // ---- the central class ----

    private static Source centre() {
        return sources.stream()
                .filter(source -> source.type().equals(CENTRE))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void centralClass() {
        Source centre = centre();
        List<Field> fields = Stream.of(AcquiringPool.class.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .toList();
        budget(CENTRE + ", lines", 203, centre.text().lines().count());
        budget(CENTRE + ", fields", 9, fields.size());
        budget(CENTRE + ", project types", 15, named(centre).size());
        budget(CENTRE + ", catch (Throwable)", 3, catches(centre));
        budget(
                CENTRE + ", nullable fields",
                0,
                fields.stream()
                        .filter(field -> field.getAnnotatedType().isAnnotationPresent(Nullable.class))
                        .count());
    }

    /** Top-level types of the project that a source names, imported or of its package. */
    private static Set<String> named(Source source) {
        Set<String> named = new TreeSet<>();
        Matcher imports = IMPORT.matcher(source.code());
        while (imports.find()) {
            named.add(imports.group(2));
        }
        named.addAll(neighbours(source));
        return named;
    }

    /** Top-level types of its package that a source names. */
    private static List<String> neighbours(Source source) {
        return sources.stream()
                .filter(other ->
                        other.room().equals(source.room()) && !other.type().equals(source.type()))
                .map(Source::type)
                .filter(type -> Pattern.compile("(?<![\\w.])" + type + "\\b")
                        .matcher(source.code())
                        .find())
                .toList();
    }

    private static long catches(Source source) {
        return CATCH_ALL.matcher(source.code()).results().count();
    }

    @Test
    void catchesOfEverything() {
        budget(
                "catch (Throwable) in core",
                // One more with the log backend: an appender that throws does not end its schedule. One more: a part
                // is shown each statement without a lambda, which may be an object each time.
                29,
                sources.stream().mapToLong(BudgetTest::catches).sum());
        budget(
                "files with catch (Throwable)",
                18,
                sources.stream().filter(source -> catches(source) > 0).count());
    }

    /** The second compiler inlines no method of more than 325 bytes, however often it is called. */
    @Test
    void byteCodeOfTheHotMethods() {
        Map<String, Integer> sizes = byteCode(CLASSES.resolve("io/flexpool/internal/pool/" + CENTRE + ".class"));
        budget("acquire, bytes of code", 142, Objects.requireNonNull(sizes.get("acquire")));
        budget("lend, bytes of code", 46, Objects.requireNonNull(sizes.get("lend")));
        // Raised from 97: a lease without a call site and a suspicion calls the tracker no more.
        budget("finish, bytes of code", 108, Objects.requireNonNull(sizes.get("finish")));
    }

    /** By name the size of the largest method. */
    private static Map<String, Integer> byteCode(Path file) {
        StringWriter out = new StringWriter();
        PrintWriter to = new PrintWriter(out);
        ToolProvider.findFirst("javap").orElseThrow().run(to, to, "-c", "-p", file.toString());
        Map<String, Integer> sizes = new TreeMap<>();
        for (String method : out.toString().split("\n\n", -1)) {
            Matcher name = Pattern.compile("(\\w+)\\([^\\n]*\\n +Code:").matcher(method);
            int size = 0;
            Matcher instructions = INSTRUCTION.matcher(method);
            while (instructions.find()) {
                // The last one returns or throws, in one byte, or jumps back, in three.
                size = Integer.parseInt(instructions.group(1))
                        + (instructions.group(2).startsWith("goto") ? 3 : 1);
            }
            if (name.find() && size > 0) {
                sizes.merge(name.group(1), size, Math::max);
            }
        }
        return sizes;
    }

    // ---- all of core ----

    @Test
    void sizeOfCore() throws IOException {
        // One more, with 151 lines: spi.Texts, the door to internal.shared for other modules.
        // Six more: the log backend and FlexPoolFactory, which were modules.
        // Two more: an explanation is a table with rows of holders, which was one sentence.
        // Two more: what sees the sessions of leases, and the check of a part, which was a nested class.
        // One more: RequestTrace, the stack of a request in place of a search of it.
        // One more: GrowthStop, which was a nested record, and limits the steps at a full server.
        budget("core, files", 269, sources.size());
        budget(
                "core, lines",
                // Raised from 40,886: the classes after the first leave one connection to it, all of them together.
                // And from 41,020: seven classes of JDBC values are back, for a proxy by reflection is forbidden.
                // And by 39: a release beside woken waiters of classes leaves early, and a permit changes its class
                // wherever a stack ends.
                // And by 247: what the first build need not load is made by classes of its own, and what is undone by
                // a flag takes a line more than what is caught and thrown again.
                // And by 25: a part is told when its own connection has no room left, and texts refuse null by name.
                // And by 600: the log backend, which was a module of 684.
                // And by 241: FlexPoolFactory, which was a module of 265.
                // And by 40: loops of the reader in place of lambdas, each of which a first build loads as a class.
                // And by 62: the reasons of the sizing constants and of the time in the database, from the documents.
                // And by 86: the environment as a source, and the removed keys of each module.
                // And by 101: the part that caps a limit gives its name as data, where constants named one feature.
                // Loops replace lambdas and switch tables, each of which a first build loads as a class.
                // And by 420: what leases do with their sessions is shown to parts, 145 of it documentation of the SPI.
                // And by 25: an explanation is a table with counted call sites, which was one sentence.
                // And by 17: the call site of a call of JDBC, for parts that see statements.
                // And by 19: lines with longer names, such as requestClass and physicalConnection, are wrapped.
                // And by 165: LeaseObserver.Holders, which OpenTelemetry and Micrometer need, with its documentation.
                // And by 55: the shares of a lease before, between and after its statements, for parts that take
                // leases. And by 6: when leases were read, for who compares them, and leases that another thread
                // returned. And by 152: the stack that a request keeps during an alert.
                // And by 2: the isolation, among the properties that JDBC sets.
                // And by 54: the event of a part (session state that was left, a lease over its budget).
                // And by 58: connections borrowed past a watched pool, and leases that another thread uses.
                // And by 1: the order of its facts. And by 6: the first requests of an application may lease late.
                // And by 9: a bounded call is awaited without tasks of the application, and a resource takes a builder.
                // And by 13: a lease inside another, or of a later virtual thread, replaces no holder.
                // And by 14: a comma or semicolon within a password, and strategies that return null.
                // And by 128: the steps after refused connections, so that a full server does not make the limit swing.
                // And by 73: further names of secrets, private keys, and secrets within percent-encoding.
                // And by 11: a separator within a secret that is percent-encoded twice.
                // And by 16: an unknown key is one short line, and names of packages are checked.
                // And by 87: hints for a key at the wrong level, unresolved placeholders, two variables for a key, and
                // a wrapper behind another library's.
                42_414,
                sources.stream()
                        .mapToLong(source -> source.text().lines().count())
                        .sum());
        budget(
                "core's jar, classes",
                // With the module descriptor, which only Maven compiles. Two more: the table of an explanation, and its
                // rows of holders, which were one text. Four more: what sees sessions, and its public types.
                // One more: LeaseObserver.Holders and its Holder. One more: LeaseBlock.Phase.
                // Two more: RequestTrace and its frames. Two more: the event of a part. One more: what the parts of a
                // pool know of a failure.
                519,
                files().stream()
                        .filter(file -> file.toString().endsWith(".class"))
                        .count());
        // Raised from 959,000: the same.
        // Raised from 968,500: as the lines.
        // And by 17,500: the log backend.
        // And 2,800: the longer names of 14 types that are nested now. And 8,000: FlexPoolFactory.
        // And 12,500: the environment as a source and the removed keys, the table of an explanation, longer messages.
        // And 7,500: what leases do with their sessions is shown to parts.
        // And 4,000: LeaseObserver.Holders.
        // And 2,000: the shares of a lease. And 300: its class, and the isolation that it sets. And 3,500: the stack
        // that a request keeps. And 2,200: the event of a part. And 1,100: what the parts of a pool know of a failure.
        // And 1,100: connections borrowed past a watched pool. And 300: the first requests of an application, and a
        // clock that is set back. And 200: what a pool restores.
        // And 100: LeaseStream, LeasePeaks and SharedLease are longer names.
        // And 400: the second slot of LeaseObserver.Holders, and outages presumed while connections are leased.
        // And 400: a comma or semicolon within a password, and strategies that return null.
        // And 1,300: the steps after refused connections. And 1,100: further secrets.
        // And 2,600: as the last lines.
        // And 1,500: a close does not wait for parts, each origin of failures has a line, and a stop of growth fades.
        // And 500: leases are counted after a pool was suspended.
        budget("core's jar, bytes", 995_600, jar());
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(CLASSES)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static long jar() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes)) {
            for (Path file : files()) {
                jar.putNextEntry(new ZipEntry(CLASSES.relativize(file).toString()));
                Files.copy(file, jar);
            }
        }
        return bytes.size();
    }
}
