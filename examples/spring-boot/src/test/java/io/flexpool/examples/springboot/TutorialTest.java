// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The two tutorials with Spring Boot beside this application, which is their demo. */
class TutorialTest {
    private static final Path TUTORIALS = Path.of("..", "..", "docs", "tutorial");
    private static final Path SOURCES = Path.of("src", "main", "java", "io", "flexpool", "examples", "springboot");

    /** Who follows the tutorial has the keys of the demo. */
    @Test
    void theKeysOfTheTutorialAreTheDemos() throws IOException {
        Properties demo = new Properties();
        demo.load(Files.newBufferedReader(Path.of("src", "main", "resources", "application.properties")));
        Properties steps = new Properties();
        for (String block : blocks("spring-boot.md", "properties").toList()) {
            steps.load(new StringReader(block));
        }
        assertThat(steps)
                .hasSizeGreaterThan(4)
                .allSatisfy((key, value) -> assertThat(demo).containsEntry(key, value));
        String starter = "<artifactId>flexpool-spring-boot-starter</artifactId>";
        assertThat(Files.readString(Path.of("pom.xml"))).contains(starter);
        assertThat(blocks("spring-boot.md", "xml").findFirst().orElseThrow()).contains(starter);
    }

    /** The steps that the reader looks up in the code are there, in this order. */
    @Test
    void theIncidentIsThatOfTheDemosCode() throws IOException {
        String page = Files.readString(TUTORIALS.resolve("incident.md"));
        String service = Files.readString(SOURCES.resolve("OrderService.java"));
        String load = Files.readString(SOURCES.resolve("LoadController.java"));
        assertThat(page).contains("stock.take(", "orders.save(", "payments.authorise()", "`LoadController.placeOne`");
        assertThat(service).containsSubsequence("@Transactional", "stock.take(", "return place(");
        assertThat(service).containsSubsequence("@Transactional", "orders.save(", "payments.authorise()");
        assertThat(load).contains("Outcome placeOne(");
        assertThat(Files.readString(Path.of("src", "main", "resources", "application.properties")))
                .as("the 600 ms of the page")
                .contains("orders.payment-answers-after=600ms");
        assertThat(page).contains("600 ms");
    }

    private static Stream<String> blocks(String page, String language) throws IOException {
        return Pattern.compile("(?s)```" + language + "\\n(.*?)```")
                .matcher(Files.readString(TUTORIALS.resolve(page)))
                .results()
                .map(match -> match.group(1));
    }
}
