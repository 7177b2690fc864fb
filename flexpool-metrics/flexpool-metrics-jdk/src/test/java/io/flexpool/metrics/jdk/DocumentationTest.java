// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.Event;
import jdk.jfr.Name;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentationTest {
    private static final Path DOCS = Path.of("../../docs/metrics");

    private static String read(Path file) throws IOException {
        return Files.readString(file);
    }

    private static String spaceless(String text) {
        return text.replaceAll("\\s+", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jmx.md", "jfr.md"})
    void javaExamplesCompile(String page) throws IOException {
        String examples = spaceless(read(Path.of("src/test/java/io/flexpool/metrics/jdk/Examples.java")));
        List<String> blocks = Stream.of(read(DOCS.resolve(page)).split("```java\n", -1))
                .skip(1)
                .map(rest -> rest.substring(0, rest.indexOf("```")))
                .toList();
        assertThat(blocks).isNotEmpty().allSatisfy(block -> assertThat(examples).contains(spaceless(block)));
    }

    @Test
    void everyAttributeIsExplained() throws IOException {
        String page = read(DOCS.resolve("jmx.md"));
        assertThat(PoolMXBean.class.getMethods()).allSatisfy(method -> {
            String attribute = method.getName().replaceFirst("^(get|set|is)", "");
            assertThat(page).containsPattern("`" + attribute + "[`(]");
        });
    }

    @Test
    void everyEventAndFieldIsExplained() throws IOException {
        String page = read(DOCS.resolve("jfr.md"));
        for (Class<? extends Event> event : RecordedPool.EVENTS) {
            assertThat(page).contains("`" + event.getAnnotation(Name.class).value() + "`");
            for (Class<?> type = event; type != null && type != Event.class; type = type.getSuperclass()) {
                assertThat(type.getDeclaredFields())
                        .filteredOn(field -> !Modifier.isStatic(field.getModifiers()))
                        .filteredOn(field -> !Modifier.isTransient(field.getModifiers()))
                        .allSatisfy(field -> assertThat(page).contains("`" + field.getName() + "`"));
            }
        }
        assertThat(page).contains(AcquisitionFloor.DEFAULT, LeaseFloor.DEFAULT);
    }
}
