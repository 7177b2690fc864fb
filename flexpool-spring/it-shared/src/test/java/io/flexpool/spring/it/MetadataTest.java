// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.spring.FlexPools;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The editor's completion is generated from core's table of keys. */
class MetadataTest {
    private static final String FILE = "META-INF/spring-configuration-metadata.json";
    /** Here bean names name pools. */
    private static final List<String> NOT_HERE = List.of("name", "data-source.jndi-name");

    private static String property(String name, String type, String description, String fallback) {
        String given = fallback.isEmpty() ? "" : ",\n  \"defaultValue\": " + fallback;
        return "{\n  \"name\": \"" + name + "\",\n  \"type\": \"" + type + "\",\n  \"description\": \""
                + description.replace("\"", "\\\"") + "\"" + given + "\n}";
    }

    /** If it is a value; else the description states it. */
    private static String fallback(ConfigKey key) {
        String said = key.fallback();
        if (key.kind() == ConfigKey.Kind.FLAG) {
            return said;
        }
        boolean choice = key.kind() == ConfigKey.Kind.TEXT
                && List.of(key.allowed().split(", | or ")).contains(said);
        return choice || said.matches("\\d+(ms|s)") ? '"' + said + '"' : "";
    }

    private static String type(ConfigKey key) {
        return switch (key.kind()) {
            case TEXT -> "java.lang.String";
            case FLAG -> "java.lang.Boolean";
            case COUNT -> "java.lang.Integer";
            case DURATION -> "java.time.Duration";
            case LIST -> "java.util.List<java.lang.String>";
        };
    }

    private static String expected() {
        List<String> properties = new ArrayList<>();
        for (ConfigKey key : FlexPool.configurationKeys()) {
            if (!NOT_HERE.contains(key.name())) {
                String description =
                        key.meaning() + " Allowed: " + key.allowed() + ". If not given: " + key.fallback() + ".";
                properties.add(property("flexpool." + key.name(), type(key), description, fallback(key)));
            }
        }
        properties.add(property(
                "flexpool.pools",
                "java.util.Map<java.lang.String, java.lang.String>",
                "The same keys for one pool, and before those for all: flexpool.pools.<name>.base and so on.",
                ""));
        properties.add(property(
                "flexpool.datasources",
                "java.util.Map<java.lang.String, java.lang.String>",
                "For one data source bean: flexpool.datasources.<bean>.enabled=false leaves it alone, true wraps also"
                        + " what flexpool does not know; flexpool.datasources.<bean>.name names its pool.",
                ""));
        properties.add(property(
                "flexpool.transaction-deadlines",
                "java.lang.Boolean",
                "Whether the timeout of a @Transactional method is also until when its connection is of use, from the"
                        + " call of the method on.",
                "false"));
        properties.add(property(
                "flexpool.web.unavailable",
                "java.lang.Boolean",
                "Whether a web request that gets no connection in time is answered with the status 503 and"
                        + " Retry-After.",
                "false"));
        properties.add(property(
                "management.health.flexpool.enabled",
                "java.lang.Boolean",
                "Whether the pools are shown in the application's health.",
                "true"));
        properties.add(property(
                "management.endpoint.flexpool.access",
                "org.springframework.boot.actuate.endpoint.Access",
                "What the endpoint permits: read-only shows the pools, unrestricted changes their modes and limits too.",
                "\"read-only\""));
        properties.add(property(
                "management.endpoint.flexpool.documentation",
                "java.lang.String",
                "Where flexpool's documentation is, an http address or an absolute path: the page then links each cause of a"
                        + " failure to its how-to.",
                ""));
        return "{\n  \"properties\": [\n"
                + String.join(",\n", properties).indent(4).stripTrailing()
                + "\n  ],\n";
    }

    private static String metadata() throws IOException {
        URL starter = FlexPools.class.getProtectionDomain().getCodeSource().getLocation();
        String root = starter.getPath().endsWith(".jar") ? "jar:" + starter + "!/" : starter.toString();
        try (InputStream in = URI.create(root + FILE).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** With {@code -Dflexpool.write} it writes the table. */
    @Test
    void theMetadataIsTheTable() throws IOException {
        if (Boolean.getBoolean("flexpool.write")) {
            String metadata = metadata();
            Files.writeString(
                    Path.of("../flexpool-spring-boot-starter/src/main/resources", FILE),
                    expected() + metadata.substring(metadata.indexOf("  \"hints\"")));
        } else {
            assertThat(metadata()).startsWith(expected());
        }
    }

    /** A hint for a key or class that does not exist would silently have no effect. */
    @Test
    void hintsNameExistingKeysAndClasses() throws Exception {
        String metadata = metadata();
        String hints = metadata.substring(metadata.indexOf("\"hints\""));
        List<String> hinted = found("\"name\": \"(flexpool[^\"]+)\"", hints);
        assertThat(hinted).hasSize(5);
        for (String name : hinted) {
            assertThat(expected()).contains("\"name\": \"" + name.replaceFirst("\\.keys$", "") + "\"");
        }
        for (String target : found("\"target\": \"([^\"]+)\"", hints)) {
            assertThat(Class.forName(target)).isInterface();
        }
    }

    private static List<String> found(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(one -> one.group(1))
                .collect(Collectors.toList());
    }
}
