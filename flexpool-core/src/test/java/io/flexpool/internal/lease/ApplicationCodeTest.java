// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.lease.CallSites.CallSite;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.SecureClassLoader;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which frame of a stack is the call site, on stacks of applications as they run: classes by real names, loaded from
 * places as containers and launchers report them. This class itself is no call site: it lies in flexpool's inside.
 */
@Timeout(300)
class ApplicationCodeTest {
    private static final String LIBRARIES = "file:/app/lib/";
    private static final String CONTROLLER = "org.springframework.samples.petclinic.owner.OwnerController";

    /** Beneath and above PetClinic's controller, from the thread's first frame on. */
    private static final List<String> TOMCAT = List.of(
            "org.apache.tomcat.util.net.NioEndpoint",
            "org.apache.coyote.http11.Http11Processor",
            "org.apache.catalina.core.StandardWrapperValve",
            "org.springframework.web.servlet.DispatcherServlet");

    private static final List<String> JPA = List.of(
            "org.springframework.data.jpa.repository.support.SimpleJpaRepository",
            "org.hibernate.internal.SessionImpl",
            "com.zaxxer.hikari.HikariDataSource");

    private static final List<String> CALLERS = List.of(
            "io.undertow.server.Connectors",
            "org.xnio.XnioWorker",
            "org.eclipse.jetty.server.HttpChannel",
            "io.netty.channel.AbstractChannelHandlerContext",
            "reactor.core.scheduler.WorkerTask",
            "io.grpc.internal.ServerImpl",
            "org.apache.kafka.clients.consumer.KafkaConsumer",
            "org.springframework.kafka.listener.KafkaMessageListenerContainer",
            "org.apache.camel.processor.DelegateAsyncProcessor",
            "io.vertx.core.impl.ContextImpl",
            "org.glassfish.jersey.server.ServerRuntime",
            "com.rabbitmq.client.impl.ConsumerDispatcher",
            "org.quartz.core.JobRunShell");

    private static final List<String> OTHERS = List.of(
            CONTROLLER,
            "io.flexpool.spi.DelegatingDataSource",
            "com.acme.app.Main",
            "com.acme.dao.OrderDao",
            "com.acme.jdbc.Retries",
            "com.acmetools.Pipe",
            "net.other.Mapper",
            "io.github.alice.shop.Shop",
            "io.github.alice.dao.Dao",
            "io.github.bob.Mapper");

    @TempDir
    @SuppressWarnings("NullAway.Init") // by JUnit
    private static Path compiled;

    /** One call of javac: each class has a method that calls on. */
    @BeforeAll
    static void compile() throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", compiled.toString()));
        for (String name :
                Stream.of(TOMCAT, JPA, CALLERS, OTHERS).flatMap(List::stream).toList()) {
            int dot = name.lastIndexOf('.');
            Path source = compiled.resolve(name + "/" + name.substring(dot + 1) + ".java");
            Files.createDirectories(source.getParent());
            Files.writeString(
                    source,
                    "package " + name.substring(0, dot) + "; public final class " + name.substring(dot + 1)
                            + " { public static Object call(java.util.function.Supplier<?> on) { return on.get(); } }");
            arguments.add(source.toString());
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }

    /** A class of an application, from a place of its own. */
    private static final class Loader extends SecureClassLoader {
        Loader() {
            super(ClassLoader.getPlatformClassLoader());
        }

        Class<?> load(String name, String place) {
            try {
                byte[] bytes = Files.readAllBytes(compiled.resolve(name.replace('.', '/') + ".class"));
                // Schemes of launchers and containers have no handler here.
                URL url = new URL(null, place, new URLStreamHandler() {
                    @Override
                    protected URLConnection openConnection(URL ignored) throws IOException {
                        throw new IOException("only a name");
                    }
                });
                return defineClass(name, bytes, 0, bytes.length, new CodeSource(url, (Certificate[]) null));
            } catch (IOException missing) {
                throw new AssertionError(missing);
            }
        }
    }

    /** A stack, from the thread's first frame to the one that requests the connection. */
    private static final class Stack {
        private final Loader loader = new Loader();
        private final List<Class<?>> classes = new ArrayList<>();

        /** The next frame is one of a class from there. */
        Stack of(String name, String place) {
            classes.add(loader.load(name, place));
            return this;
        }

        /** The next frames are those of libraries. */
        Stack of(List<String> libraries) {
            libraries.forEach(name -> of(name, LIBRARIES + name.substring(0, name.lastIndexOf('.')) + "-1.0.jar"));
            return this;
        }

        /** The last frame again. */
        Stack times(int more) {
            for (int at = 0; at < more; at++) {
                classes.add(classes.get(classes.size() - 1));
            }
            return this;
        }

        @Nullable
        String site(ApplicationCode code) {
            CallSites sites = new CallSites(code, false);
            Supplier<@Nullable CallSite> request = sites::capture;
            for (int at = classes.size() - 1; at >= 0; at--) {
                request = through(classes.get(at), request);
            }
            // On a thread of its own, where the test's framework has no frame.
            CallSite found = CompletableFuture.supplyAsync(request).join();
            return found == null ? null : Objects.requireNonNull(found.name()).replaceAll("\\(.*", "");
        }

        private static Supplier<@Nullable CallSite> through(Class<?> type, Supplier<@Nullable CallSite> request) {
            return () -> {
                try {
                    return (CallSite) type.getMethod("call", Supplier.class).invoke(null, request);
                } catch (InvocationTargetException | NoSuchMethodException | IllegalAccessException failed) {
                    throw new LinkageError(String.valueOf(failed), failed);
                }
            };
        }
    }

    private static ApplicationCode started(String command) {
        return ApplicationCode.of(List.of(), List.of(), command);
    }

    private static Stack petClinic(String place) {
        return new Stack().of(TOMCAT).of(CONTROLLER, place).of(JPA);
    }

    // ---- Spring, under a container ----

    /** As they are started by an IDE, java -jar, an older java -jar, WildFly, Tomcat, Jib. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:/petclinic/target/classes/",
                "jar:nested:/petclinic.jar/!BOOT-INF/classes/!/",
                "jar:file:/petclinic.jar!/BOOT-INF/classes!/",
                "vfs:/content/petclinic.war/WEB-INF/classes/",
                "war:file:/petclinic.war*/WEB-INF/classes/",
                "file:/app/classes"
            })
    void whatWasCompiledIntoADirectoryIsTheApplicationsWhateverItsPackage(String place) {
        assertThat(petClinic(place).site(started("petclinic.jar"))).isEqualTo("OwnerController.call");
    }

    @Test
    void theApplicationsPackagesTakePrecedenceOverFrameworks() {
        String place = LIBRARIES + "petclinic-1.0.jar";
        for (String written : List.of("org.springframework.samples.petclinic", "org.springframework.samples.")) {
            ApplicationCode named = ApplicationCode.of(List.of(written), List.of(), "launcher.jar");
            assertThat(petClinic(place).site(named)).isEqualTo("OwnerController.call");
        }
        assertThat(petClinic(place).site(started("launcher.jar")))
                .as("begins like Spring, in a jar like Spring's")
                .isNull();
        assertThat(petClinic(place).site(started("/srv/petclinic-1.0.jar --server.port=8081")))
                .as("java -jar, without a framework inside")
                .isEqualTo("OwnerController.call");
    }

    @Test
    void librariesLieInJarsAlsoWhereAContainerMountsThem() {
        for (String place : List.of(
                "jar:nested:/petclinic.jar/!BOOT-INF/lib/spring-samples.jar!/",
                "vfs:/content/petclinic.war/WEB-INF/lib/spring-samples.jar/")) {
            assertThat(petClinic(place).site(started("petclinic.jar"))).isNull();
        }
    }

    @Test
    void aCallerIsNoCallSite() {
        for (String caller : CALLERS) {
            assertThat(new Stack().of(List.of(caller)).of(JPA).site(started("")))
                    .as(caller)
                    .isNull();
            assertThat(new Stack()
                            .of(List.of(caller))
                            .of("com.acme.app.Main", "file:/app/app.jar")
                            .of(JPA)
                            .site(started("")))
                    .as(caller)
                    .isEqualTo("Main.call");
        }
    }

    // ---- plain Java ----

    @ParameterizedTest
    @ValueSource(strings = {"com.acme.app.Main", "com.acme/com.acme.app.Main shop.properties", "/opt/app.jar"})
    void aLibraryBetweenIsNoCallSite(String command) {
        assertThat(new Stack()
                        .of("com.acme.app.Main", "file:/opt/app.jar")
                        .of(List.of("net.other.Mapper"))
                        .site(started(command)))
                .isEqualTo("Main.call");
    }

    @Test
    void aLibraryOfTheSameOrganisationIsTheApplications() {
        Stack acme = new Stack()
                .of("com.acme.app.Main", "file:/opt/app.jar")
                .of(List.of("com.acme.dao.OrderDao", "com.acmetools.Pipe"));
        assertThat(acme.site(started("com.acme.app.Main"))).isEqualTo("OrderDao.call");
        Stack hosted = new Stack()
                .of("io.github.alice.shop.Shop", "file:/opt/app.jar")
                .of(List.of("io.github.alice.dao.Dao", "io.github.bob.Mapper"));
        assertThat(hosted.site(started("io.github.alice.shop.Shop"))).isEqualTo("Dao.call");
    }

    @Test
    void aLauncherNamesNoApplication() {
        Stack mapper = new Stack()
                .of("com.acme.app.Main", "file:/opt/classes/")
                .of(List.of("org.quartz.core.JobRunShell", "net.other.Mapper"));
        assertThat(mapper.site(started("org.quartz.core.JobRunShell"))).isEqualTo("Main.call");
    }

    @Test
    void whereNothingIsKnownTheFirstClassThatMayBeTheApplicationsIs() {
        assertThat(new Stack()
                        .of(TOMCAT)
                        .of(List.of("com.acme.app.Main", "net.other.Mapper"))
                        .site(started("")))
                .isEqualTo("Mapper.call");
    }

    /** In Quarkus each call site was flexpool's data source: nothing tells the application's jar from a library's. */
    @Test
    void theDataSourcesOfFrameworkModulesAreNoCallSite() {
        assertThat(new Stack()
                        .of("com.acme.app.Main", "file:/app/quarkus-app/app/shop-1.0.jar")
                        .of(List.of("io.flexpool.spi.DelegatingDataSource"))
                        .of(JPA)
                        .site(started("quarkus-app/quarkus-run.jar")))
                .isEqualTo("Main.call");
    }

    /** A stack of a thousand frames is not searched for the application each time. */
    @Test
    void theSearchBeyondALibraryIsBounded() {
        assertThat(far(20)).isEqualTo("Main.call");
        assertThat(far(40)).isEqualTo("Mapper.call");
    }

    private static @Nullable String far(int between) {
        return new Stack()
                .of("com.acme.app.Main", "file:/opt/classes/")
                .of(List.of("org.apache.camel.processor.DelegateAsyncProcessor"))
                .times(between / 2)
                .of(List.of("net.other.Mapper"))
                .site(started(""));
    }

    @Test
    void whatTheUserIgnoresIsNoCallSiteAlsoInTheApplication() {
        Stack retries = new Stack()
                .of("com.acme.app.Main", "file:/opt/classes/")
                .of("com.acme.jdbc.Retries", "file:/opt/classes/");
        assertThat(retries.site(started(""))).isEqualTo("Retries.call");
        ApplicationCode ignoring = ApplicationCode.of(List.of("com.acme"), List.of("com.acme.jdbc."), "");
        assertThat(retries.site(ignoring)).isEqualTo("Main.call");
    }

    // ---- everything in one place ----

    /** An unpacked jar with flexpool and all frameworks inside: there a directory says nothing. */
    @Test
    void aPlaceThatFlexpoolSharesSaysNothing() {
        String ours = Objects.requireNonNull(
                        ApplicationCode.class.getProtectionDomain().getCodeSource())
                .getLocation()
                .toString();
        assertThat(ours).endsWith("/");
        Stack unpacked = new Stack();
        TOMCAT.forEach(name -> unpacked.of(name, ours));
        unpacked.of("com.acme.app.Main", ours);
        JPA.forEach(name -> unpacked.of(name, ours));
        assertThat(unpacked.site(started(""))).isEqualTo("Main.call");
    }
}
