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
    private static final Path PAGE = Path.of("../../docs/reference/backends.md");

    private static String section(String heading) throws IOException {
        return Files.readString(PAGE).split("\n## " + heading + "\n", -1)[1].split("\n## ", -1)[0];
    }

    private static String spaceless(String text) {
        return text.replaceAll("\\s+", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"JMX", "Flight Recorder"})
    void javaExamplesCompile(String heading) throws IOException {
        String examples = spaceless(Files.readString(Path.of("src/test/java/io/flexpool/metrics/jdk/Examples.java")));
        List<String> blocks = Stream.of(section(heading).split("```java\n", -1))
                .skip(1)
                .map(rest -> rest.substring(0, rest.indexOf("```")))
                .toList();
        assertThat(blocks).isNotEmpty().allSatisfy(block -> assertThat(examples).contains(spaceless(block)));
    }

    @Test
    void everyAttributeIsExplained() throws IOException {
        String page = section("JMX");
        assertThat(PoolMXBean.class.getMethods()).allSatisfy(method -> {
            String attribute = method.getName().replaceFirst("^(get|set|is)", "");
            assertThat(page).containsPattern("`" + attribute + "[`(]");
        });
    }

    @Test
    void everyEventAndFieldIsExplained() throws IOException {
        String page = section("Flight Recorder");
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
