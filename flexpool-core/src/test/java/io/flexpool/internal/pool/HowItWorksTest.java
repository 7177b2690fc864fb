// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page that follows one request through the classes names classes that exist, and stays short. */
class HowItWorksTest {
    private static final Path PAGE = Path.of("..", "docs", "explanation", "how-it-works.md");
    /** In code font, or in the drawing where a class is followed by a method. */
    private static final Pattern CLASS = Pattern.compile("`([A-Z][a-z]\\w+)|\\b([A-Z][a-z]\\w+)\\.[a-z]");

    @Test
    void namesClassesThatExist() throws IOException {
        Set<String> sources;
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            sources = files.map(file -> file.getFileName().toString().replace(".java", ""))
                    .collect(Collectors.toSet());
        }
        Set<String> named = new TreeSet<>();
        Matcher names = CLASS.matcher(Files.readString(PAGE));
        while (names.find()) {
            named.add(names.group(1) == null ? names.group(2) : names.group(1));
        }
        assertThat(named).hasSizeGreaterThan(20).isSubsetOf(sources);
    }

    @Test
    void hasAtMostNineHundredWords() throws IOException {
        assertThat(Files.readString(PAGE).split("\\s+").length).isLessThanOrEqualTo(900);
    }
}
