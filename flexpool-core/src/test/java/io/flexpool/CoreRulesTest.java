// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules of core's boundaries. Those between modules are tested where all modules meet, in benchmarks. */
@AnalyzeClasses(packages = "io.flexpool", importOptions = ImportOption.DoNotIncludeTests.class)
class CoreRulesTest {
    @ArchTest
    static final ArchRule coreKnowsNoPoolNoMetricsLibraryNoFramework = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.flexpool..",
                    "java..",
                    "javax.sql..",
                    "javax.naming..",
                    // java.sql.SQLXML has it in its signatures, and java.sql requires it transitively.
                    "javax.xml..",
                    "org.xml.sax",
                    "org.slf4j..",
                    "org.jspecify..");

    @ArchTest
    static final ArchRule publicPackagesDoNotSeeTheInside = noClasses()
            .that()
            .resideInAnyPackage(
                    "io.flexpool.pool..",
                    "io.flexpool.diagnostics..",
                    "io.flexpool.event..",
                    "io.flexpool.monitoring..",
                    "io.flexpool.adapter..",
                    "io.flexpool.spi..",
                    "io.flexpool.strategy..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.flexpool.internal..", "io.flexpool")
                    .and(not(resideInAPackage("io.flexpool.internal.shared"))));

    @ArchTest
    static final ArchRule theSharedWordsDependOnNothing = noClasses()
            .that()
            .resideInAPackage("io.flexpool.pool..")
            .should()
            .dependOnClassesThat()
            .resideOutsideOfPackages("io.flexpool.pool", "io.flexpool.internal.shared", "java..", "org.jspecify..");

    @ArchTest
    static final ArchRule aConnectionKnowsThePoolOnlyThroughItsLease = noClasses()
            .that()
            .resideInAPackage("io.flexpool.internal.jdbc..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.flexpool",
                    "io.flexpool.internal.pool",
                    "io.flexpool.pool",
                    "io.flexpool.diagnostics",
                    "io.flexpool.event",
                    "io.flexpool.monitoring");

    /** From the lowest up; each may see those before it. */
    private static final List<String> ROOMS = List.of(
            "shared", "jdbc", "sizing", "log", "event", "record", "gate", "config", "context", "lease", "resize",
            "failure", "pool");

    @ArchTest
    static void aRoomKnowsOnlyThoseBelowIt(JavaClasses core) {
        for (int at = 0; at < ROOMS.size(); at++) {
            List<String> above = new ArrayList<>(List.of("io.flexpool"));
            ROOMS.subList(at + 1, ROOMS.size()).forEach(room -> above.add("io.flexpool.internal." + room));
            noClasses()
                    .that()
                    .resideInAPackage("io.flexpool.internal." + ROOMS.get(at))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(above.toArray(String[]::new))
                    .allowEmptyShould(false)
                    .check(core);
        }
    }

    @Test
    void everyRoomHasItsPlaceInTheOrder() throws IOException {
        try (Stream<Path> rooms = Files.list(Path.of("src/main/java/io/flexpool/internal"))) {
            assertThat(rooms.map(room -> room.getFileName().toString()))
                    .as("packages, and no class beside them")
                    .containsExactlyInAnyOrderElementsOf(ROOMS);
        }
    }

    @ArchTest
    static final ArchRule noPackageCycle =
            slices().matching("io.flexpool.(**)").should().beFreeOfCycles();

    private static final Pattern FORBIDDEN = Pattern.compile("\\bsynchronized\\b|Thread\\.sleep\\(");

    /** A monitor pins a virtual thread, and byte code does not show synchronized blocks to the rules above. */
    @Test
    void noMainCodeIsSynchronizedOrSleeps() throws IOException {
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            List<Path> java =
                    sources.filter(path -> path.toString().endsWith(".java")).toList();
            assertThat(java).hasSizeGreaterThan(30);
            for (Path source : java) {
                assertThat(FORBIDDEN.matcher(code(source)).find())
                        .as("%s", source)
                        .isFalse();
            }
        }
    }

    /** Features are modules of their own. A part's name reaches core as data. */
    private static final Pattern FEATURE = Pattern.compile(
            "fleet|advisor|server[-._ ]?view|stale[-._ ]?writer|\"advice[.]|the advice", Pattern.CASE_INSENSITIVE);

    /** Strings, constants, classes and variables; comments may give an example. Rules on byte code do not see the first two. */
    @Test
    void noMainCodeNamesAFeature() throws IOException {
        List<String> named = new ArrayList<>();
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            for (Path source :
                    sources.filter(path -> path.toString().endsWith(".java")).toList()) {
                FEATURE.matcher(code(source))
                        .results()
                        .forEach(found -> named.add(source.getFileName() + ": " + found.group()));
            }
        }
        assertThat(named).isEmpty();
    }

    private static String code(Path source) throws IOException {
        return Files.readString(source).replaceAll("(?s)/\\*.*?\\*/|//[^\\n]*", "");
    }
}
