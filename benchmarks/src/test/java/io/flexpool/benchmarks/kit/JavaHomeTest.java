// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.flexpool.benchmarks.kit.FreshJvm.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class JavaHomeTest {
    private static final String OWN = System.getProperty("java.home");

    private final JavaHome.Converter converter = new JavaHome.Converter();
    private Path home = Path.of("");

    /** An installation whose only program says who it is. */
    @BeforeEach
    void install(@TempDir Path folder) throws IOException {
        home = Files.createDirectory(folder.toRealPath().resolve("jdk-21"));
        Path launcher = Files.createDirectory(home.resolve("bin")).resolve("java");
        Files.writeString(launcher, "#!/bin/sh\necho\necho mark I am $0\n");
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void release(String version) throws IOException {
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"Some\"\nJAVA_VERSION=\"" + version + "\"\n");
    }

    private String refusal(String value) {
        List<String> messages = new ArrayList<>();
        assertThatExceptionOfType(TypeConversionException.class)
                .isThrownBy(() -> converter.convert(value))
                .satisfies(refused -> messages.add(refused.getMessage()));
        return messages.get(0);
    }

    @Test
    void theProgramRunsOnTheJavaThatWasSet() throws Exception {
        List<String> reports = new ArrayList<>();

        Ended ended = new FreshJvm(JavaHomeTest.class)
                .java(converter.convert(home.toString()))
                .run("mark", Duration.ofMinutes(1), () -> false, reports::add);

        assertThat(ended.exitCode()).isZero();
        assertThat(reports).containsExactly("I am " + home.resolve("bin").resolve("java"));
    }

    @Test
    void thisJavaIsAccepted() throws IOException {
        assertThat(converter.convert(OWN).path()).isEqualTo(Path.of(OWN).toRealPath());
    }

    @Test
    void oneInstallationUnderTwoNamesIsOne() throws IOException {
        Path link = Files.createSymbolicLink(home.resolveSibling("default-java"), home);

        assertThat(converter.convert(link.toString())).isEqualTo(converter.convert(home.toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"17", "17.0.15", "25.0.3", "26-ea"})
    void aJavaThatIsNewEnoughIsAccepted(String version) throws IOException {
        release(version);

        assertThat(converter.convert(home.toString()).path()).isEqualTo(home);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.8.0_392", "11.0.2", "16"})
    void aJavaThatIsTooOldIsRefused(String version) throws IOException {
        release(version);

        assertThat(refusal(home.toString()))
                .isEqualTo("'" + home + "' must be the home of a Java installation, 17 or newer; it is " + version);
    }

    @Test
    void aTypoIsAnsweredWithTheNearestInstallation() throws IOException {
        Files.createDirectory(home.resolveSibling("jdk-12"));

        assertThat(refusal(home.resolveSibling("jdk-22").toString()))
                .endsWith("; it has no bin/java; the nearest is jdk-21");
    }

    @Test
    void aFileIsNoInstallation() {
        assertThat(refusal(home.resolve("bin").resolve("java").toString())).endsWith("; it has no bin/java");
    }
}
