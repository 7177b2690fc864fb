// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.server.ServerViewProvider;
import java.util.stream.Stream;

/** Allowed dependencies, over all modules: this is the one module that has them all on its class path. */
@AnalyzeClasses(packages = "io.flexpool", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] CORE = {
        "io.flexpool",
        "io.flexpool.spi",
        "io.flexpool.pool",
        "io.flexpool.diagnostics",
        "io.flexpool.event",
        "io.flexpool.monitoring",
        "io.flexpool.adapter",
        "io.flexpool.strategy..",
        "io.flexpool.internal.."
    };
    private static final String[] ADAPTERS = {
        "hikaricp", "c3p0", "tomcat", "druid", "dbcp2", "agroal", "vibur", "ucp", "atomikos", "legacy"
    };
    private static final String[] SERVER_VIEWS = {"postgresql", "mysql"};
    private static final String INTERNAL = "io.flexpool.internal..";
    private static final DescribedPredicate<JavaClass> OURS = resideInAPackage("io.flexpool..");

    @ArchTest
    static final ArchRule coreUsesTheJdkAndSlf4jOnly = noClasses()
            .that()
            .resideInAnyPackage(CORE)
            .should()
            .dependOnClassesThat(not(resideInAnyPackage(CORE)
                    .or(resideInAnyPackage(
                            "java..",
                            "javax.sql..",
                            "javax.naming..",
                            // Of java.sql.SQLXML's methods.
                            "javax.xml..",
                            "org.xml.sax..",
                            "org.slf4j..",
                            "org.jspecify.."))));

    @ArchTest
    static void adaptersSeeAdapterAndPoolOnly(JavaClasses all) {
        for (String adapter : ADAPTERS) {
            String own = "io.flexpool.adapter." + adapter + "..";
            noClasses()
                    .that()
                    .resideInAPackage(own)
                    .should()
                    .dependOnClassesThat(
                            OURS.and(not(resideInAnyPackage(own, "io.flexpool.adapter", "io.flexpool.pool"))))
                    // An adapter that is not on the class path would pass otherwise.
                    .allowEmptyShould(false)
                    .check(all);
        }
    }

    @ArchTest
    static final ArchRule everyAdapterIsNamedHere = classes()
            .that()
            .implement(PoolAdapter.class)
            .should()
            .resideInAnyPackage(Stream.concat(
                            // The generic one.
                            Stream.of(INTERNAL),
                            Stream.of(ADAPTERS).map(adapter -> "io.flexpool.adapter." + adapter + ".."))
                    .toArray(String[]::new));

    @ArchTest
    static void serverViewsSeeTheirSeamOnly(JavaClasses all) {
        for (String product : SERVER_VIEWS) {
            String own = "io.flexpool.server." + product + "..";
            noClasses()
                    .that()
                    .resideInAPackage(own)
                    .should()
                    .dependOnClassesThat(OURS.and(not(resideInAnyPackage(own, "io.flexpool.server"))))
                    .allowEmptyShould(false)
                    .check(all);
        }
    }

    @ArchTest
    static final ArchRule everyServerViewIsNamedHere = classes()
            .that()
            .implement(ServerViewProvider.class)
            .should()
            .resideInAnyPackage(Stream.of(SERVER_VIEWS)
                    .map(product -> "io.flexpool.server." + product + "..")
                    .toArray(String[]::new));

    /** The fleet reads what the server has left through a type of the SPI. */
    @ArchTest
    static final ArchRule theFleetSeesNoOtherFeature = noClasses()
            .that()
            .resideInAPackage("io.flexpool.fleet..")
            .should()
            .dependOnClassesThat(
                    resideInAnyPackage("io.flexpool.server..", "io.flexpool.advice..", "io.flexpool.advisor.."));

    @ArchTest
    static final ArchRule metricsSeeWhatIsShownOnly = noClasses()
            .that()
            .resideInAPackage("io.flexpool.metrics..")
            .should()
            .dependOnClassesThat(OURS.and(not(resideInAnyPackage(
                    "io.flexpool.metrics..",
                    "io.flexpool.pool",
                    "io.flexpool.diagnostics",
                    "io.flexpool.event",
                    "io.flexpool.monitoring",
                    "io.flexpool.spi"))));

    /** The scenario that drives the sizing controller directly uses its package. */
    private static final String CONTROLLER_SCENARIO = "io.flexpool.benchmarks.simulate..";

    /** Which of core's own packages may: CoreRulesTest. */
    @ArchTest
    static final ArchRule noOtherModuleSeesInternal = noClasses()
            .that()
            .resideOutsideOfPackages(CORE)
            .and()
            .resideOutsideOfPackages(CONTROLLER_SCENARIO)
            .should()
            .dependOnClassesThat(resideInAPackage(INTERNAL));

    @ArchTest
    static final ArchRule theControllersScenarioSeesTheControllerOnly = noClasses()
            .that()
            .resideInAPackage(CONTROLLER_SCENARIO)
            .should()
            .dependOnClassesThat(resideInAPackage(INTERNAL).and(not(resideInAPackage("io.flexpool.internal.sizing"))));

    @ArchTest
    static final ArchRule poolDependsOnNothingExported = noClasses()
            .that()
            .resideInAPackage("io.flexpool.pool")
            .should()
            .dependOnClassesThat(OURS.and(not(resideInAnyPackage("io.flexpool.pool", "io.flexpool.internal.shared"))));

    /** But for the names of what they change, which parts see. */
    @ArchTest
    static final ArchRule theDelegatesKnowOnlyTheLease = noClasses()
            .that()
            .resideInAPackage("io.flexpool.internal.jdbc..")
            .should()
            .dependOnClassesThat(OURS.and(not(resideInAPackage("io.flexpool.internal.jdbc..")))
                    .and(not(type(SessionProperty.class))));

    @ArchTest
    static final ArchRule noCycleAmongPackages =
            slices().assignedFrom(new ByPackage()).should().beFreeOfCycles();

    /**
     * None that a request could get. Two are thrown by a build only, where no application's handling of a pool's exceptions
     * stands, and one is what the log gets instead of an exception with text that could not be printed. A request that was shed gets the
     * pool's own exception, in which one of ours says as a cause when to try again.
     */
    @ArchTest
    static final ArchRule noExceptionTypeOfOurOwn = classes()
            .that()
            .resideInAnyPackage(CORE)
            .and()
            .doNotHaveFullyQualifiedName("io.flexpool.AlreadyWrappedException")
            .and()
            .doNotHaveFullyQualifiedName("io.flexpool.pool.RefusedValueException")
            .and()
            .doNotHaveFullyQualifiedName("io.flexpool.pool.ShedException")
            .and()
            .doNotHaveFullyQualifiedName("io.flexpool.internal.event.PrintableFailure")
            .should()
            .notBeAssignableTo(Throwable.class);

    /**
     * The JDK keeps the class of a record whose own {@code equals} was called, and with it the application's class loader
     * (java.lang.runtime.ObjectMethods, a static handle's cache of types).
     */
    @ArchTest
    static final ArchRule noRecordIsComparedByItsOwnEquals = noClasses()
            .that()
            .resideInAnyPackage(CORE)
            .should()
            .callMethodWhere(target(owner(assignableTo("java.lang.Record"))).and(target(name("equals"))));

    /** Every package is a slice; ArchUnit's patterns cannot name a package that contains others. */
    private static final class ByPackage implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
            return OURS.test(javaClass) ? SliceIdentifier.of(javaClass.getPackageName()) : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages of io.flexpool";
        }
    }
}
