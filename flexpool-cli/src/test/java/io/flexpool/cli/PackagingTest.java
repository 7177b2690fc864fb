// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The ways to get the program point to the jar that the build makes. Neither a daemon nor jbang is needed. */
class PackagingTest {
    /** As the POM names what it shades, from the folder of this module. */
    private static String jar() throws IOException {
        Matcher output = Pattern.compile("<outputFile>\\$\\{project\\.build\\.directory}/([\\w.]+)</outputFile>")
                .matcher(Files.readString(Path.of("pom.xml")));
        assertThat(output.find()).isTrue();
        return "target/" + output.group(1);
    }

    /** Each instruction with its words, without comments and with continued lines as one. */
    private static List<List<String>> instructions() throws IOException {
        String text = Files.readString(Path.of("Dockerfile"))
                .replaceAll("(?m)^\\s*#.*\\R", "")
                .replace("\\\n", " ");
        return text.lines()
                .filter(line -> !line.isBlank())
                .map(line -> Arrays.asList(line.strip().split("\\s+", 2)))
                .toList();
    }

    private static String only(String instruction) throws IOException {
        List<String> found = instructions().stream()
                .filter(each -> each.get(0).equals(instruction))
                .map(each -> each.get(1))
                .toList();
        assertThat(found).as(instruction).hasSize(1);
        return found.get(0);
    }

    @Test
    void theImageHasAJdkAndTheJarOfTheBuild() throws IOException {
        assertThat(instructions().stream().map(each -> each.get(0)))
                .containsExactly("FROM", "COPY", "USER", "ENTRYPOINT");
        // jcmd is not in a JRE; an image without a version changes by itself.
        assertThat(only("FROM")).matches("eclipse-temurin:(1[7-9]|[2-9]\\d)[\\w.]*-jdk[\\w-]*");
        String[] copied = only("COPY").split(" ", -1);
        assertThat(copied).hasSize(2);
        assertThat(copied[0]).isEqualTo(jar());
        JsonNode entry = new ObjectMapper().readTree(only("ENTRYPOINT"));
        assertThat(entry).hasSize(3);
        assertThat(entry.path(0).asText()).isEqualTo("java");
        assertThat(entry.path(1).asText()).isEqualTo("-jar");
        assertThat(entry.path(2).asText()).isEqualTo(copied[1]).startsWith("/");
    }

    /** By number: Kubernetes cannot prove of a name that it is not root. */
    @Test
    void theImageDoesNotRunAsRoot() throws IOException {
        assertThat(only("USER")).matches("[1-9]\\d*(:[1-9]\\d*)?");
    }

    @Test
    void theCatalogOfJbangHasTheJarOfTheBuild() throws IOException {
        Path catalog = Path.of("..", "jbang-catalog.json");
        JsonNode alias =
                new ObjectMapper().readTree(catalog.toFile()).path("aliases").path("flexpool");
        assertThat(alias.path("script-ref").asText()).isEqualTo("flexpool-cli/" + jar());
        assertThat(alias.path("description").asText())
                .isEqualTo(FlexpoolCli.commandLine()
                        .getCommandSpec()
                        .usageMessage()
                        .description()[0]);
    }
}
