// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.cli.ProgramRun;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the schema of SARIF 2.1.0 requires of the objects that are written: no schema allows further properties in any of them. The
 * whole output was valid by OASIS's file {@code sarif-schema-2.1.0.json} (errata 01).
 */
class SarifSchemaTest {
    private static final List<String> LEVELS = List.of("none", "note", "warning", "error");

    @TempDir
    private Path project;

    /** An object of the schema: its properties, those required with an exclamation mark. */
    private record Type(Map<String, Predicate<JsonNode>> properties, List<String> required) {
        static Type of(Map<String, Predicate<JsonNode>> properties, String... required) {
            return new Type(properties, Arrays.asList(required));
        }

        void check(String where, JsonNode node) {
            assertThat(node.isObject()).as(where).isTrue();
            required.forEach(
                    name -> assertThat(node.has(name)).as("%s.%s", where, name).isTrue());
            node.properties().forEach(each -> {
                assertThat(properties).as(where).containsKey(each.getKey());
                Predicate<JsonNode> property = Objects.requireNonNull(properties.get(each.getKey()));
                assertThat(property.test(each.getValue()))
                        .as("%s.%s = %s", where, each.getKey(), each.getValue())
                        .isTrue();
            });
        }
    }

    private static Predicate<JsonNode> an(String where, Type type) {
        return node -> {
            type.check(where, node);
            return true;
        };
    }

    private static Predicate<JsonNode> each(String where, Type type) {
        return nodes -> {
            nodes.forEach(node -> type.check(where, node));
            return nodes.isArray();
        };
    }

    private static Predicate<JsonNode> oneOf(List<String> values) {
        return node -> node.isTextual() && values.contains(node.asText());
    }

    private static Predicate<JsonNode> from(int least) {
        return node -> node.isInt() && node.asInt() >= least;
    }

    private static boolean isReference(JsonNode node) {
        return node.isTextual() && URI.create(node.asText()).getRawFragment() == null;
    }

    private static final Type MESSAGE = Type.of(Map.of("text", JsonNode::isTextual), "text");
    private static final Type ARTIFACT = Type.of(Map.of(
            "uri",
            SarifSchemaTest::isReference,
            "uriBaseId",
            JsonNode::isTextual,
            "description",
            an("artifactLocation.description", MESSAGE)));
    private static final Type PLACE = Type.of(
            Map.of(
                    "artifactLocation",
                    an("artifactLocation", ARTIFACT),
                    "region",
                    an("region", Type.of(Map.of("startLine", from(1))))),
            "artifactLocation");
    private static final Type RULE = Type.of(
            Map.of(
                    "id",
                    JsonNode::isTextual,
                    "shortDescription",
                    an("shortDescription", MESSAGE),
                    "fullDescription",
                    an("fullDescription", MESSAGE),
                    "help",
                    an("help", MESSAGE),
                    "defaultConfiguration",
                    an("defaultConfiguration", Type.of(Map.of("level", oneOf(LEVELS))))),
            "id");
    private static final Type RESULT = Type.of(
            Map.of(
                    "ruleId",
                    JsonNode::isTextual,
                    "ruleIndex",
                    from(-1),
                    "level",
                    oneOf(LEVELS),
                    "message",
                    an("message", MESSAGE),
                    "locations",
                    each("location", Type.of(Map.of("physicalLocation", an("physicalLocation", PLACE))))),
            "message");
    private static final Type INVOCATION = Type.of(
            Map.of(
                    "executionSuccessful",
                    JsonNode::isBoolean,
                    "toolExecutionNotifications",
                    each(
                            "notification",
                            Type.of(Map.of("level", oneOf(LEVELS), "message", an("message", MESSAGE)), "message"))),
            "executionSuccessful");
    private static final Type DRIVER = Type.of(
            Map.of("name", JsonNode::isTextual, "version", JsonNode::isTextual, "rules", each("rule", RULE)), "name");
    private static final Type RUN = Type.of(
            Map.of(
                    "tool",
                    an("tool", Type.of(Map.of("driver", an("driver", DRIVER)), "driver")),
                    "columnKind",
                    oneOf(List.of("utf16CodeUnits", "unicodeCodePoints")),
                    "originalUriBaseIds",
                    node -> node.properties().stream()
                            .allMatch(base -> an("originalUriBaseIds", ARTIFACT).test(base.getValue())),
                    "results",
                    each("result", RESULT),
                    "invocations",
                    each("invocation", INVOCATION)),
            "tool");
    private static final Type LOG = Type.of(
            Map.of(
                    "$schema",
                    SarifSchemaTest::isReference,
                    "version",
                    oneOf(List.of("2.1.0")),
                    "runs",
                    each("run", RUN)),
            "version",
            "runs");

    private JsonNode sarif() throws IOException {
        return new ObjectMapper()
                .readTree(ProgramRun.of("lint", project.toString(), "--sarif", "-")
                        .out());
    }

    @Test
    void whatIsWrittenIsValidByTheSchema() throws IOException {
        LOG.check("sarifLog", sarif());
        Path folder = Files.createDirectories(project.resolve("a b#c/src"));
        Files.writeString(folder.resolve("application.yml"), """
            spring.datasource: {url: 'jdbc:mysql://db/x', password: hunter2, max-active: 5}
            spring.config.import: 'classpath:db.yml'
            """);
        Files.writeString(project.resolve("application-prod.yml"), "a: [\n");
        JsonNode found = sarif();
        LOG.check("sarifLog", found);
        assertThat(found.at("/runs/0/results")).isNotEmpty();
        assertThat(found.at("/runs/0/invocations/0/toolExecutionNotifications")).isNotEmpty();
    }

    /** A result names the rule to which its index points, and rules are there once. */
    @Test
    void rulesAreReferredToByTheirIndex() throws IOException {
        Files.writeString(project.resolve("application.yml"), "spring.datasource.url: jdbc:mysql://db/x\n");
        JsonNode run = sarif().at("/runs/0");
        JsonNode rules = run.at("/tool/driver/rules");
        assertThat(rules).extracting(rule -> rule.path("id").asText()).doesNotHaveDuplicates();
        assertThat(run.path("results")).isNotEmpty().allSatisfy(result -> {
            JsonNode rule = rules.path(result.path("ruleIndex").asInt());
            assertThat(rule.path("id")).isEqualTo(result.path("ruleId"));
        });
    }
}
