// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A test with a longer form, which {@code mvn verify} leaves out, is named by the command that runs it. */
class LongerFormsTest {
    private static final String TAG = "@Tag(\"" + "scenario\")";

    private static boolean hasOne(Path source) {
        try {
            return Files.readString(source).contains(TAG);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void contributingNamesEachOfThem() throws IOException {
        String command = Files.readString(Path.of("..", "CONTRIBUTING.md"))
                .lines()
                .filter(line -> line.contains("-Pscenarios verify -pl flexpool-core "))
                .findFirst()
                .orElseThrow();
        List<String> tests;
        try (Stream<Path> sources = Files.walk(Path.of("src", "test", "java"))) {
            tests = sources.filter(source -> source.toString().endsWith(".java"))
                    .filter(LongerFormsTest::hasOne)
                    .map(source -> source.getFileName().toString().replace(".java", ""))
                    .sorted()
                    .toList();
        }

        assertThat(tests).hasSizeGreaterThan(4);
        assertThat(command).contains("-Dtest='" + String.join(",", tests) + "'");
    }
}
